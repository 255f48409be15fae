import { expect, it } from 'vitest';
import type { Tenant } from '../../server/tenants/schema.ts';
import { nameFault } from '../../ui/src/pages/settings/tenants/names.ts';

const tenants = [
  { id: 'a', name: 'Shop' },
  { id: 'b', name: 'Café' },
] as Tenant[];

it('refuses a name that another tenant has, however it is written', () => {
  expect(nameFault(' shop ', tenants)).toBe('There is one of this name already');
  expect(nameFault('Cafe\u0301', tenants)).toBe('There is one of this name already');
  expect(nameFault('Shop 2', tenants)).toBeUndefined();
});

it('lets a tenant keep its own name', () => {
  expect(nameFault('SHOP', tenants, 'a')).toBeUndefined();
});

it('says how much too long a name is', () => {
  expect(nameFault('x'.repeat(100), tenants)).toBeUndefined();
  expect(nameFault('x'.repeat(102), tenants)).toBe('2 characters too many: at most 100');
});
