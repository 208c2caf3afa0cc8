import { recordLog, type LogLine } from './log.ts'
import { startMailService, type MailService } from './mail-services.ts'
import { emailProviders } from '../src/providers/email/all.ts'
import type { Email } from '../src/providers/email/email.ts'

/** Options that the mail service fakes accept. */
export const mailAccounts = {
  postmark: { serverToken: 'right-token' },
  mailgun: { apiKey: 'right-key', domain: 'mg.example.org' },
  ses: { awsKeyId: 'AKIDEXAMPLE', awsKeySecret: 'right-secret', awsRegion: 'eu-central-1' },
} as const

export interface StartedMail {
  readonly email: Email
  readonly service: MailService
  readonly lines: readonly LogLine[]
}

/** Starts a provider with a fake of its public service. */
export async function startServiceMail(
  name: keyof typeof mailAccounts,
  options: object = {},
): Promise<StartedMail> {
  const found = emailProviders.find((listed) => listed.name === `emails/${name}`)
  if (!found) throw new Error(`no provider emails/${name}`)
  const service = await startMailService(name)
  const { log, lines } = recordLog()
  const world = { fetch, log, now: () => Date.UTC(2030, 4, 2, 12), dataDir: '' }
  const checked = found.options.parse({ ...mailAccounts[name], apiUrl: `${service.url}/`, ...options })
  return { email: await found.start(checked, world), service, lines }
}
