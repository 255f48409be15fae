import { missing, suite } from './runtime.ts';

interface Program {
  name: string;
  why: string | undefined;
  packaged: string | undefined;
}

/** Both that people can have: started from its folder, and packed by the installers' tool. */
export async function programs(subject: string): Promise<Program[]> {
  const why = missing();
  const packaged = process.env['VEDETTE_UNPACKED'];
  return [
    { name: suite(subject, why), why, packaged: undefined },
    {
      name: suite(`${subject}, installed`, packaged ? undefined : 'no'),
      why: packaged ? undefined : 'no',
      packaged,
    },
  ];
}
