import type { Outcome } from './tool.ts'

/** What every result of a request has. */
export interface AnyResult {
  readonly kind: string
  readonly status: number
  readonly message: string
  readonly data?: unknown
}

const remedies: Readonly<Record<string, string>> = {
  badToken: 'Make a new API token in the settings of the team.',
  badNoTeam: 'Join a team first.',
  badPagesNotAccepted: 'A member of the team must accept these pages in the site first.',
  badCaptcha: 'This event asks for a captcha here. A person must do this in the site.',
  badNotStarted: 'Come back when the event has started.',
  badVisibility: 'The organisers have closed this part of the event to this team.',
}

/** What was refused and why, in words, and when or how to try again. */
export function refusal({ kind, message, data }: AnyResult): Outcome {
  const details = (data ?? {}) as Readonly<Record<string, unknown>>
  const { timeLeft, scope, reason, message: more } = details
  const remedy =
    typeof timeLeft === 'number'
      ? `Come back in ${Math.ceil(timeLeft / 1000)} seconds.`
      : kind === 'badScope'
        ? `The token needs the scope ${typeof scope === 'string' ? `\`${scope}\`` : 'of this route'}. Make another one in the settings of the team.`
        : remedies[kind]
  const words = [message, ...[reason, more].filter((text) => typeof text === 'string'), remedy]
  return {
    parts: [words.filter((text) => text !== undefined && text !== '').join(' ')],
    data: { refused: kind, ...(typeof timeLeft === 'number' && { retryAfterMs: timeLeft }) },
    isRefused: true,
  }
}

/** The caller asked for something that does not exist, or not exactly enough. */
export function mistake(text: string): Outcome {
  return { parts: [text], data: { refused: 'badInput' }, isRefused: true }
}
