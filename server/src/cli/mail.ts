import { isEmail } from '@pennant/contract/fields.ts'
import type { Config } from '../config/config.ts'
import { sendTestMail } from '../ops/diagnosis/mail.ts'
import { StartError } from '../lib/errors.ts'
import { readExistingConfig } from './load-config.ts'
import { createLog, isReadableLog } from './log.ts'
import type { ProcessContext } from './process-context.ts'

/**
 * `pennant mail test --to`: sends one message through the configured provider, not through the outbox, so
 * that the response of the mail server is reported immediately.
 */
export async function testMail(context: ProcessContext, { to }: { readonly to: string }): Promise<void> {
  if (!isEmail(to)) throw new StartError(`${to} is not an email address.`)
  const { config } = await readExistingConfig(context)
  if (!config.email) throw new StartError('Mail is not configured: set `email` in the configuration.')
  const started = context.now()
  await sendTest(config.email, { config, to, context })
  context.print(`The mail server accepted a message to ${to} after ${context.now() - started} ms.`)
  context.print('Check that it arrived, and that it is not in the spam folder.')
}

interface Delivery {
  readonly config: Config
  readonly to: string
  readonly context: ProcessContext
}

async function sendTest(
  { provider, from }: NonNullable<Config['email']>,
  { config: { ctfName, origin, dataDir }, to, context }: Delivery,
): Promise<void> {
  const quiet: ProcessContext = { ...context, print: context.complain }
  const log = createLog({ level: 'warn', isReadable: isReadableLog(context), context: quiet })
  const email = await provider.start({ fetch: globalThis.fetch, log, now: context.now, dataDir })
  try {
    await sendTestMail(email, { to, from, site: { ctfName, origin } })
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new StartError(`The message was not accepted: ${reason}`, { cause })
  } finally {
    email.close?.()
  }
}
