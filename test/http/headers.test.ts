import helmet from '@fastify/helmet';
import Fastify from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { securityHeaders } from '../../server/http/headers.ts';

it('closes the dashboard to foreign content, and asks for no https', async () => {
  const app = Fastify();
  onTestFinished(() => app.close());
  await app.register(helmet, securityHeaders);
  app.get('/', async () => 'ok');
  const { headers } = await app.inject('/');
  expect(headers['content-security-policy']).toBe(
    "default-src 'none';script-src 'self';style-src 'self';img-src 'self' data:;font-src 'self';" +
      "connect-src 'self';base-uri 'none';form-action 'self';frame-ancestors 'none'",
  );
  expect(headers['referrer-policy']).toBe('no-referrer');
  expect(headers['cross-origin-resource-policy']).toBe('same-origin');
  expect(headers['x-frame-options']).toBe('DENY');
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers).not.toHaveProperty('strict-transport-security');
  expect(headers).not.toHaveProperty('cross-origin-opener-policy');
});
