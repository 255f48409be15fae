import { auth, tagmanager } from '@googleapis/tagmanager';

/** Google's own client, pointed at the emulator. It tries nothing twice. */
export function officialClient(url: string, token = 'official') {
  const client = new auth.OAuth2();
  client.setCredentials({ access_token: token });
  return tagmanager({ version: 'v2', auth: client, rootUrl: `${url}/`, retry: false });
}

/** What the API answered when it refused. */
export async function refusalOf(work: Promise<unknown>) {
  try {
    await work;
  } catch (error) {
    const { status, response } = error as { status?: number; response?: { data?: unknown } };
    const { error: told } = (response?.data ?? {}) as { error?: { message: string } };
    return { status, message: told?.message };
  }
  return { status: 200, message: undefined };
}
