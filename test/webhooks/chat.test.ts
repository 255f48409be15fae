import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bodyFor, DISCORD, SLACK_TEXT, TEAMS_BYTES } from '../../server/webhooks/chat.ts';
import { escapeSlack, fitted } from '../../server/webhooks/chat-text.ts';
import { alertPayload, testPayload } from '../../server/webhooks/payload.ts';
import type { AlertMessageType } from '../../server/webhooks/schema.ts';
import { alert } from './parts.ts';
import { rounds } from '../helpers/soak.ts';

const NOW = Date.parse('2026-03-01T10:00:03Z');
const OWNER = { id: '4f9d7f5e-6f3f-4b8e-9a53-0d4f4a0f9a11', name: 'Shop' };

interface Slack {
  text: string;
}
interface Discord {
  content: string;
  embeds: {
    description: string;
    fields: { name: string; value: string }[];
    footer: { text: string };
    timestamp: string;
  }[];
  allowed_mentions: { parse: string[] };
}
interface Teams {
  type: string;
  attachments: {
    contentType: string;
    content: { type: string; body: { inlines: { text: string }[] }[] };
  }[];
}

function bodies(type: AlertMessageType, change: Parameters<typeof alert>[0] = {}) {
  const payload = alertPayload(type, alert(change), OWNER, NOW);
  return {
    slack: JSON.parse(bodyFor('slack', payload)) as Slack,
    discord: JSON.parse(bodyFor('discord', payload)) as Discord,
    teams: JSON.parse(bodyFor('teams', payload)) as Teams,
  };
}

const teamsText = ({ attachments }: Teams) =>
  (attachments[0]?.content.body ?? [])
    .map(({ inlines }) => inlines.map(({ text }) => text).join(''))
    .join('\n');

describe('the chat formats', () => {
  it('say what happened, to which rule, and when', () => {
    const { slack, discord, teams } = bodies('alert.created', { message: 'Too few' });
    expect(slack.text).toBe('*Critical alert:* Purchases\nToo few\nRaised 2026-03-01 10:00 UTC');
    expect(discord.content).toBe('**Critical alert:** Purchases');
    expect(discord.embeds).toMatchObject([
      {
        description: 'Too few',
        fields: [],
        footer: { text: 'Raised 2026-03-01 10:00 UTC' },
        timestamp: '2026-03-01T10:00:00.000Z',
      },
    ]);
    expect(teamsText(teams)).toBe(
      'Critical alert: Purchases\nToo few\nRaised 2026-03-01 10:00 UTC',
    );
    expect(teams.type).toBe('message');
    expect(teams.attachments[0]).toMatchObject({
      contentType: 'application/vnd.microsoft.card.adaptive',
      content: { type: 'AdaptiveCard', version: '1.2' },
    });
  });

  it.each([
    [
      'alert.acknowledged' as const,
      { acknowledged_at: '2026-03-01T11:30:00.000Z', acknowledge_note: 'On it' },
      ['Acknowledged', 'On it', 'Critical alert, acknowledged 2026-03-01 11:30 UTC'],
    ],
    [
      'alert.resolved' as const,
      { resolved_at: '2026-03-01T12:30:00.000Z', resolve_note: 'Fixed' },
      ['Resolved', 'Fixed', 'Critical alert, resolved 2026-03-01 12:30 UTC'],
    ],
  ])('show the note of %s', (type, change, [heading, note, footer]) => {
    const { slack, discord, teams } = bodies(type, { ...change, message: 'Too few' });
    expect(slack.text).toBe(`*${heading}:* Purchases\nToo few\nNote: ${note}\n${footer}`);
    expect(discord.content).toBe(`**${heading}:** Purchases`);
    expect(discord.embeds[0]).toMatchObject({ fields: [{ name: 'Note', value: note }] });
    expect(teamsText(teams)).toBe(`${heading}: Purchases\nToo few\nNote: ${note}\n${footer}`);
  });

  it('leave out a note in which there is nothing to see', () => {
    const { slack, discord, teams } = bodies('alert.resolved', { resolve_note: ' \u200b\n' });
    expect(slack.text).not.toContain('Note');
    expect(discord.embeds[0]?.fields).toEqual([]);
    expect(teamsText(teams)).not.toContain('Note');
  });

  it('call nobody and link nowhere, whatever a rule is named', () => {
    const name = '<!channel> <@U1> @everyone [x](http://evil.example) **b** `c` # {{DATE(x)}} {{{{';
    const { slack, discord, teams } = bodies('alert.created', { rule_name: name, message: name });
    expect(slack.text).not.toMatch(/[<>]/);
    expect(slack.text).toContain('&lt;!channel&gt; &lt;@U1&gt;');
    expect(discord.allowed_mentions).toEqual({ parse: [] });
    for (const text of [discord.content, discord.embeds[0]?.description ?? '']) {
      expect(text).not.toMatch(/@everyone|<@(?!\u200b)|(?<!\\)<|(?<!\\)\[|(?<!\\)`/);
      expect(text).toContain('\\[x\\]\\(http\\://evil.example\\)');
    }
    expect(teamsText(teams)).not.toContain('{{');
  });

  it('show a test', () => {
    const payload = testPayload(OWNER, NOW);
    const { text } = JSON.parse(bodyFor('slack', payload)) as Slack;
    expect(text).toBe('*Test:* Shop\nThis is a test from Vedette\nSent 2026-03-01 10:00 UTC');
    expect(bodyFor('discord', payload)).toContain('This is a test from Vedette');
    expect(bodyFor('teams', payload)).toContain('This is a test from Vedette');
  });

  it('leave the standard body as it was stored', () => {
    const payload = testPayload(OWNER, NOW);
    expect(bodyFor('standard', payload)).toBe(payload);
  });
});

it.each([
  ['abcd', 4, 'abcd'],
  ['abcde', 4, 'abc…'],
  ['ab&d', 4, 'ab…'],
  ['a&', 6, 'a&amp;'],
  ['a&b', 6, 'a…'],
  ['a\u{1f600}b', 3, 'a…'],
  ['', 4, ''],
])('"%s" in %d units is "%s"', (given, limit, expected) => {
  expect(fitted(given, limit, escapeSlack)).toBe(expected);
});

const unit = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.constantFrom('&', '<', '>', '@', '{{', '\\', '\ud800', '\u0000', '\u{1f600}', '*_~`|', '\n'),
);
const text = fc
  .tuple(fc.array(unit, { maxLength: 30 }), fc.integer({ min: 1, max: 400 }))
  .map(([parts, times]) => parts.join('').repeat(times).slice(0, 20_000));

it('chat bodies are valid and within the limits of each chat, for any text', () => {
  fc.assert(
    fc.property(
      ...([text, text, text] as const),
      fc.constantFrom('alert.created' as const, 'alert.resolved' as const),
      (name, message, note, type) => {
        const change = { rule_name: name, message, resolve_note: note };
        const { slack, discord, teams } = bodies(type, change);
        const [embed] = discord.embeds;
        const fields = embed?.fields ?? [];
        const shown = [embed?.description, embed?.footer.text, ...fields.map(({ value }) => value)];

        expect(slack.text.length).toBeLessThanOrEqual(SLACK_TEXT);
        expect(slack.text).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/);
        expect(discord.content.length).toBeLessThanOrEqual(DISCORD.content);
        expect(embed?.description.length).toBeLessThanOrEqual(DISCORD.description);
        for (const { value } of fields) {
          expect(value.length).toBeLessThanOrEqual(DISCORD.field);
          expect(value.trim()).not.toBe('');
        }
        expect(shown.join('').length).toBeLessThanOrEqual(DISCORD.total);
        // Half a pair, or a backslash that escapes the sign of the cut.
        for (const one of [discord.content, ...shown]) expect(one?.isWellFormed()).toBe(true);
        expect(discord.content).not.toMatch(/(?<!\\)(\\\\)*\\…$/);
        expect(Buffer.byteLength(JSON.stringify(teams))).toBeLessThanOrEqual(TEAMS_BYTES);
        expect(teamsText(teams)).not.toContain('{{');
      },
    ),
    { numRuns: rounds(100, 1000) },
  );
});
