import { Resolver } from 'node:dns/promises'
import { senderOf } from '../../features/people/accounts/mail.ts'
import type { Config } from '../../config/config.ts'
import type { Email } from '../../providers/email/email.ts'
import { failure, ok, unchecked, warning, type Check, type Finding, type Subject } from './check.ts'
import { reasonOf } from '../../lib/reason.ts'

const DNS_TIMEOUT_MS = 3_000
const MAIL_TIMEOUT_MS = 40_000
const NOT_CONFIGURED = unchecked('Mail is not configured.')
/** The name server responded that there is no such record. */
const ABSENT: ReadonlySet<unknown> = new Set(['ENODATA', 'ENOTFOUND'])

export interface TestMail {
  readonly to: string
  readonly from: NonNullable<Config['email']>['from']
  readonly site: Pick<Config, 'ctfName' | 'origin'>
}

/** Sends one message directly, not through the outbox, so that the mail server's response is known. */
export async function sendTestMail(email: Email, { to, from, site }: TestMail): Promise<void> {
  const text = `This is a test message of ${site.origin}. If you can read it, mail works.`
  const subject = `[${site.ctfName}] Test message`
  await email.send({ to, from: senderOf(from, site.ctfName), subject, text, html: `<p>${text}</p>` })
}

/** Text records of a name; empty if there are none, null if no name server responds. */
async function readTexts(name: string, { network }: Subject): Promise<string[] | null> {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: 1 })
  if (network?.nameServers) resolver.setServers([...network.nameServers])
  try {
    return (await resolver.resolveTxt(name)).map((parts) => parts.join(''))
  } catch (error) {
    return ABSENT.has((error as NodeJS.ErrnoException).code) ? [] : null
  }
}

/** The domain of the sender and the domains above it: a DMARC record of the organisation covers its hosts. */
function domainsOf(address: string): string[] {
  const labels = address.slice(address.lastIndexOf('@') + 1).split('.')
  return labels.slice(0, -1).map((_, at) => labels.slice(at).join('.'))
}

async function checkDelivery(subject: Subject): Promise<Finding> {
  const { config, mailTo } = subject
  if (!config.email)
    return warning(
      'Mail is not configured: addresses are not verified.',
      'Set `email`, then run `pennant mail test --to`.',
    )
  const { name } = config.email.provider
  try {
    const email = await subject.email()
    if (!email) return NOT_CONFIGURED
    if (mailTo !== undefined) {
      await sendTestMail(email, { to: mailTo, from: config.email.from, site: config })
      return ok(`The mail server accepted a message to ${mailTo}.`)
    }
    if (!email.verify)
      return unchecked(
        `${name} can only be tested with a message.`,
        'Run `pennant doctor --mail-to ADDRESS`.',
      )
    await email.verify()
    return ok()
  } catch (error) {
    return failure(
      `The mail server refuses: ${reasonOf(error)}`,
      'Check the address and password in `email`.',
    )
  }
}

async function checkSpf(subject: Subject): Promise<Finding> {
  const { email } = subject.config
  const domain = email && email.from.address.slice(email.from.address.lastIndexOf('@') + 1)
  if (domain === undefined) return NOT_CONFIGURED
  const texts = await readTexts(domain, subject)
  if (texts === null) return unchecked(`No name server responded for ${domain}.`)
  const records = texts.filter((text) => /^v=spf1(?: |$)/i.test(text))
  if (records.length === 1) return ok()
  return warning(
    records.length === 0 ? `${domain} has no SPF record.` : `${domain} has ${records.length} SPF records.`,
    'Publish one TXT record `v=spf1 ... -all` that lists your mail server, or mail may arrive as spam.',
  )
}

async function checkDmarc(subject: Subject): Promise<Finding> {
  const { email } = subject.config
  if (!email) return NOT_CONFIGURED
  const [domain = '', ...above] = domainsOf(email.from.address)
  for (const each of [domain, ...above]) {
    const texts = await readTexts(`_dmarc.${each}`, subject)
    if (texts === null) return unchecked(`No name server responded for _dmarc.${each}.`)
    if (texts.some((text) => /^v=DMARC1 *;/i.test(text))) return ok()
  }
  return warning(
    `${domain} has no DMARC record.`,
    `Publish a TXT record at _dmarc.${domain}: large mail services refuse senders without one.`,
  )
}

export const mailChecks: readonly Check[] = [
  { name: 'mail', timeoutMs: MAIL_TIMEOUT_MS, run: checkDelivery },
  { name: 'mail-spf', run: checkSpf },
  { name: 'mail-dmarc', run: checkDmarc },
]
