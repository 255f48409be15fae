import { z } from 'zod';
import { publicUrl } from '../settings/schema.ts';
import { key } from '../tenants/schema.ts';

/** What is asked about the template, and in what form it is handed out. */
export const templateQuery = z.strictObject({
  url: publicUrl.optional().meta({
    description:
      'Where the template is to send: an address that this appliance is reached by, without a path',
    examples: ['https://events.shop.example'],
  }),
});

export const templateView = z
  .object({
    url: z.string().meta({
      description:
        'Where the template sends unless told otherwise: the public URL, else an address on the network, else this machine',
    }),
    key: key.nullable().meta({ description: 'The key for its tag, once it has been made' }),
  })
  .meta({ id: 'TagManagerTemplate' });

export type TemplateView = z.infer<typeof templateView>;
