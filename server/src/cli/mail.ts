import { isEmail } from '@pennant/contract/fields.ts'
import { sendTestMail } from '../ops/diagnosis/mail.ts'
import { StartError } from '../lib/errors.ts'
import { providerContext } from './connection.ts'
import { readExistingConfig } from './load-config.ts'
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
  const email = await config.email.provider.start(providerContext(config, context))
  try {
    await sendTestMail(email, { to, from: config.email.from, site: config })
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new StartError(`The message was not accepted: ${reason}`, { cause })
  } finally {
    email.close?.()
  }
  context.print(`The mail server accepted a message to ${to} after ${context.now() - started} ms.`)
  context.print('Check that it arrived, and that it is not in the spam folder.')
}
