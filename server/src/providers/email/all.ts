import type { Provider } from '../provider.ts'
import type { Email } from './email.ts'
import { mailgunEmail } from './mailgun.ts'
import { memoryEmail } from './memory.ts'
import { postmarkEmail } from './postmark.ts'
import { sesEmail } from './ses.ts'
import { smtpEmail } from './smtp.ts'

export const emailProviders: readonly Provider<Email>[] = [
  smtpEmail,
  sesEmail,
  postmarkEmail,
  mailgunEmail,
  memoryEmail,
]
