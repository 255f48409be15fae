import type { Severity } from '../rules/schema.ts';
import { asItIs, escapeDiscord, escapeSlack, escapeTeams, fitted, readable } from './chat-text.ts';
import type { Payload } from './payload.ts';
import type { WebhookFormat } from './schema.ts';

/** The body for a webhook's format, made from the standard one. */
export function bodyFor(format: WebhookFormat, payload: string): string {
  if (format === 'standard') return payload;
  return JSON.stringify(CHATS[format](summaryOf(JSON.parse(payload) as Payload)));
}

interface Summary {
  severity: Severity;
  /** Our own words, which need no escaping; what follows is the words of others. */
  heading: string;
  name: string;
  message: string;
  note: string;
  /** When it happened. */
  time: string;
  footer: string;
}

function summaryOf(payload: Payload): Summary {
  if (payload.type === 'test') {
    const { message, tenant } = payload.data;
    const about = { severity: 'info' as const, heading: 'Test', name: readable(tenant.name) };
    return { ...about, message, note: '', ...happened('Sent', payload.timestamp) };
  }
  const { data: alert, type, timestamp } = payload;
  const severity = SEVERITIES[alert.severity];
  const about = {
    severity: alert.severity,
    name: readable(alert.rule_name),
    message: readable(alert.message),
  };
  const noted = (heading: string, time: string | null, note: string | null) => ({
    ...{ ...about, heading, note: readable(note ?? '') },
    ...happened(`${severity} alert, ${heading.toLowerCase()}`, time ?? timestamp),
  });
  switch (type) {
    case 'alert.created':
      return {
        ...{ ...about, heading: `${severity} alert`, note: '' },
        ...happened('Raised', alert.created_at),
      };
    case 'alert.acknowledged':
      return noted('Acknowledged', alert.acknowledged_at, alert.acknowledge_note);
    case 'alert.resolved':
      return noted('Resolved', alert.resolved_at, alert.resolve_note);
  }
}

/** 2026-03-01 10:00 UTC: nobody knows where those are who read it. */
function happened(what: string, time: string) {
  return { time, footer: `${what} ${time.slice(0, 10)} ${time.slice(11, 16)} UTC` };
}

const SEVERITIES: Record<Severity, string> = {
  critical: 'Critical',
  warning: 'Warning',
  info: 'Info',
};

const CHATS = { slack, teams, discord };

/**
 * Slack cuts a text at 40,000 characters, and splits it at 4,000.
 * https://docs.slack.dev/messaging/formatting-message-text
 */
export const SLACK_TEXT = 4000;

function slack({ heading, name, message, note, footer }: Summary) {
  const lines = [
    `*${heading}:* ${fitted(name, 500, escapeSlack)}`,
    fitted(message, 2000, escapeSlack),
    note === '' ? '' : `Note: ${fitted(note, 1000, escapeSlack)}`,
    footer,
  ];
  return { text: lines.filter((line) => line !== '').join('\n') };
}

/**
 * A message has at most 2,000 characters, and of an embed the title 256, the description 4,096, a
 * field 1,024, all together 6,000. https://docs.discord.com/developers/resources/message
 */
export const DISCORD = { content: 2000, title: 256, description: 4096, field: 1024, total: 6000 };

function discord({ severity, heading, name, message, note, footer, time }: Summary) {
  return {
    // The embed may be hidden by who reads, and what a phone shows on its lock screen is this.
    content: `**${heading}:** ${fitted(name, 500, escapeDiscord)}`,
    embeds: [
      {
        description: fitted(message, 3000, escapeDiscord),
        fields: note === '' ? [] : [{ name: 'Note', value: fitted(note, 1000, escapeDiscord) }],
        footer: { text: footer },
        timestamp: time,
        color: DISCORD_COLORS[severity],
      },
    ],
    // Whatever the text says, nobody is called by it.
    allowed_mentions: { parse: [] },
  };
}

const DISCORD_COLORS: Record<Severity, number> = {
  critical: 0xd92d20,
  warning: 0xdc8a04,
  info: 0x2e72d2,
};

/**
 * Teams takes 28 KB. Text runs know no markdown, so nothing in them is special but the braces
 * of date functions. https://learn.microsoft.com/en-us/adaptive-cards/authoring-cards/text-features
 */
export const TEAMS_BYTES = 28_000;

function teams({ severity, heading, name, message, note, footer }: Summary) {
  const color = TEAMS_COLORS[severity];
  const run = (text: string, look: object = {}) => ({ type: 'TextRun', text, ...look });
  const block = (...inlines: object[]) => ({ type: 'RichTextBlock', inlines });
  const title = fitted(escapeTeams(name), 500, asItIs);
  const words = fitted(escapeTeams(message), 3000, asItIs);
  const remark = fitted(escapeTeams(note), 1000, asItIs);
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.2',
          body: [
            block(
              run(`${heading}: `, { weight: 'bolder', color }),
              run(title, { weight: 'bolder' }),
            ),
            ...(words === '' ? [] : [block(run(words))]),
            ...(remark === '' ? [] : [block(run(`Note: ${remark}`))]),
            block(run(footer, { isSubtle: true })),
          ],
        },
      },
    ],
  };
}

const TEAMS_COLORS: Record<Severity, string> = {
  critical: 'attention',
  warning: 'warning',
  info: 'accent',
};
