import { describe, expect, it } from 'vitest';
import { isLongPart, templateWords } from '../../ui/src/pages/tag-manager/parts/template-parts.ts';

const field = (name: string, after: string) => ({ field: name, before: null, after });

describe('a template in numbers', () => {
  it('counts its fields, permissions, lines of code and tests', () => {
    const fields = [
      field('Name', 'Vedette'),
      field('Fields', '[{"name":"apiKey"},{"name":"mode"}]'),
      field('Permissions', '[{"instance":{}}]'),
      field('Code', '\nconst a = 1;\nconst b = 2;\n'),
      field('Tests', 'scenarios:\n- name: one\n  code: |-\n    - name: inside\n- name: two\n'),
    ];
    expect(templateWords(fields)).toBe('2 fields, 1 permission, 2 lines of code and 2 tests');
    expect(fields.filter(isLongPart)).toHaveLength(4);
  });

  it('counts what a deleted one had', () => {
    expect(templateWords([{ field: 'Code', before: 'one();', after: null }])).toBe(
      '1 line of code',
    );
  });

  it('says how many parts there are where they hold nothing that can be counted', () => {
    expect(templateWords([field('Fields', 'no JSON'), field('Info', '{}')])).toBe('2 parts');
  });
});
