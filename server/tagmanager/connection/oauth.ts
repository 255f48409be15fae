import * as protocol from 'oauth4webapi';
import { fetchBounded } from './bounded-fetch.ts';
import type { Endpoints } from './endpoints.ts';
import { exchangeFault, refreshFault } from './oauth-faults.ts';

export const READ_SCOPE = 'https://www.googleapis.com/auth/tagmanager.readonly';
export const EDIT_SCOPE = 'https://www.googleapis.com/auth/tagmanager.edit.containers';
/** All that is ever asked for: nothing here can make a version, or publish one. */
const SCOPES = [READ_SCOPE, EDIT_SCOPE];

/** The person's own. Those of desktop programs may have a secret, which is none to rely on. */
export interface OAuthClient {
  id: string;
  secret: string | null;
}

/** What was consented to. */
export interface Granted {
  access: string;
  expiresInSeconds: number;
  /** Left out where the one from before stays good. */
  refresh: string | undefined;
  scopes: string[];
}

export interface ConsentRequest {
  client: OAuthClient;
  redirectUri: string;
  state: string;
  verifier: string;
}

interface Parts {
  endpoints: Omit<Endpoints, 'api'>;
  timeoutMs?: number;
}

export type OAuth = ReturnType<typeof createOAuth>;

const TIMEOUT_MS = 20_000;
/** What is usual where an answer does not say. */
const HOUR_SECONDS = 3600;

/** OAuth 2.0 for native programs (RFC 8252). Every verb throws a `TagManagerFault`. */
export function createOAuth({ endpoints, timeoutMs = TIMEOUT_MS }: Parts) {
  const { authorize, token, revoke } = endpoints;
  const server: protocol.AuthorizationServer = {
    issuer: new URL(authorize).origin,
    authorization_endpoint: authorize,
    token_endpoint: token,
    revocation_endpoint: revoke,
  };
  const closing = new AbortController();
  const send = fetchBounded({ timeoutMs, closing: closing.signal });
  const to = (address: string) => ({
    [protocol.customFetch]: send,
    // The addresses were judged when they were read: plain http leads to this machine alone.
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- marked so to stand out
    [protocol.allowInsecureRequests]: address.startsWith('http:'),
  });

  async function consentUrl(asked: ConsentRequest): Promise<string> {
    const url = new URL(authorize);
    url.search = new URLSearchParams({
      response_type: 'code',
      client_id: asked.client.id,
      redirect_uri: asked.redirectUri,
      scope: SCOPES.join(' '),
      state: asked.state,
      code_challenge: await protocol.calculatePKCECodeChallenge(asked.verifier),
      code_challenge_method: 'S256',
      access_type: 'offline',
      prompt: 'consent select_account',
    }).toString();
    return url.href;
  }

  async function exchange(asked: ConsentRequest, code: string): Promise<Granted> {
    try {
      const client = { client_id: asked.client.id };
      // The state was compared already, by whoever found the attempt that it belongs to.
      const answer = new URLSearchParams({ code });
      const params = protocol.validateAuthResponse(server, client, answer, protocol.skipStateCheck);
      const response = await protocol.authorizationCodeGrantRequest(
        ...([server, client, authenticated(asked.client), params] as const),
        ...([asked.redirectUri, asked.verifier, to(token)] as const),
      );
      return granted(await protocol.processAuthorizationCodeResponse(server, client, response));
    } catch (error) {
      throw exchangeFault(error);
    }
  }

  async function refresh(by: OAuthClient, refreshToken: string): Promise<Granted> {
    try {
      const client = { client_id: by.id };
      const response = await protocol.refreshTokenGrantRequest(
        ...([server, client, authenticated(by), refreshToken, to(token)] as const),
      );
      return granted(await protocol.processRefreshTokenResponse(server, client, response));
    } catch (error) {
      throw refreshFault(error);
    }
  }

  /** Withdraws the whole grant, which ends its access tokens too. */
  async function withdraw(by: OAuthClient, refreshToken: string): Promise<void> {
    try {
      const client = { client_id: by.id };
      const hint = { additionalParameters: { token_type_hint: 'refresh_token' } };
      const response = await protocol.revocationRequest(
        ...([server, client, authenticated(by), refreshToken, { ...to(revoke), ...hint }] as const),
      );
      await protocol.processRevocationResponse(response);
    } catch (error) {
      // Google answers so where there is no such grant any more, which is what was wanted.
      if (error instanceof protocol.ResponseBodyError && error.error === 'invalid_token') return;
      throw refreshFault(error);
    }
  }

  return {
    ...{ consentUrl, exchange, refresh, withdraw },
    /** Gives up all that is under way. */
    close: (): void => closing.abort(),
  };
}

function authenticated({ secret }: OAuthClient): protocol.ClientAuth {
  return secret === null ? protocol.None() : protocol.ClientSecretPost(secret);
}

function granted(answer: protocol.TokenEndpointResponse): Granted {
  return {
    access: answer.access_token,
    expiresInSeconds: answer.expires_in ?? HOUR_SECONDS,
    refresh: answer.refresh_token,
    // Left out means: just what was asked for.
    scopes: answer.scope === undefined ? [...SCOPES] : answer.scope.split(' ').filter(Boolean),
  };
}
