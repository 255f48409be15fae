import type { Session } from 'electron';

interface Parts {
  session: Pick<Session, 'fetch'>;
  appliance: { url: string; signInUrl: () => string };
}

/** Keeps the window signed in: whoever sits at this desktop is its owner and needs no password. */
export function createSignIn({ session, appliance }: Parts) {
  const at = `${appliance.url}/api/v1/session`;

  async function ask(method: string, body?: object): Promise<Response> {
    return session.fetch(at, {
      method,
      credentials: 'include',
      // The appliance takes changes from its own pages only.
      headers: { 'content-type': 'application/json', origin: appliance.url },
      ...(body && { body: JSON.stringify(body) }),
    });
  }

  async function current(): Promise<{ tenant_id: string } | undefined> {
    const answer = await ask('GET');
    return answer.ok ? ((await answer.json()) as { tenant_id: string }) : undefined;
  }

  async function open(): Promise<{ tenant_id: string }> {
    const token = new URL(appliance.signInUrl()).hash.slice('#token='.length);
    const answer = await ask('POST', { token });
    if (!answer.ok) throw new Error(`The window could not be signed in: ${answer.status}`);
    return (await answer.json()) as { tenant_id: string };
  }

  return {
    /** Goes on with the session of the last start where that still holds. */
    async ensure(tenantId?: string): Promise<void> {
      const { tenant_id } = (await current()) ?? (await open());
      if (tenantId === undefined || tenantId === tenant_id) return;
      const answer = await ask('PATCH', { tenant_id: tenantId });
      // A tenant that is gone meanwhile: the page then says that what was asked for is not there.
      if (!answer.ok && answer.status !== 404) {
        throw new Error(`The window could not be switched to its tenant: ${answer.status}`);
      }
    },
  };
}

export type SignIn = ReturnType<typeof createSignIn>;
