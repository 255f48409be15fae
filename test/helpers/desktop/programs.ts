import { electronDist, missing, suite } from './runtime.ts';

export interface Program {
  name: string;
  why: string | undefined;
  isPackaged: boolean;
  /** Its folder, made when it is not there yet; nothing for the bundle in this repository. */
  folder: () => Promise<string | undefined>;
}

/** Both that people can have: started from its folder, and packed by the installers' tool. */
export function programs(subject: string): Program[] {
  const why = missing();
  const installed = `${subject}, installed`;
  return [
    { name: suite(subject, why), why, isPackaged: false, folder: async () => undefined },
    { name: suite(installed, why), why, isPackaged: true, folder: unpacked },
  ];
}

async function unpacked(): Promise<string> {
  const { unpackedProgram } = await import('../unpacked.ts');
  return unpackedProgram(electronDist() ?? '');
}
