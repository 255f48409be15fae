// Brings setCookie and cookies into Fastify's types.
import type {} from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { cameByHttps } from './local.ts';

export const SESSION_COOKIE = 'vedette_session';
export const DEVICE_COOKIE = 'vedette_device';
/** As long as browsers keep any. */
const DEVICE_SECONDS = 400 * 24 * 3600;

export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
  lifetimeMs: number,
): void {
  reply.setCookie(SESSION_COOKIE, token, {
    path: '/',
    httpOnly: true,
    sameSite: 'strict',
    // Over plain http on the LAN a browser would drop a Secure cookie.
    secure: cameByHttps(request),
    maxAge: Math.floor(lifetimeMs / 1000),
  });
}

/** Sent only where one signs in. */
export function setDeviceCookie(request: FastifyRequest, reply: FastifyReply, token: string): void {
  reply.setCookie(DEVICE_COOKIE, token, {
    path: '/api/v1/session',
    httpOnly: true,
    sameSite: 'strict',
    secure: cameByHttps(request),
    maxAge: DEVICE_SECONDS,
  });
}

export function clearSessionCookie(reply: FastifyReply): void {
  reply.clearCookie(SESSION_COOKIE, { path: '/', httpOnly: true, sameSite: 'strict' });
}
