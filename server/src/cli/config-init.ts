import { existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { Mailbox, Instant } from '../config/fields.ts'
import { OriginUrl } from '../lib/service-url.ts'
import { readConfig } from '../config/read-config.ts'
import { StartError } from '../lib/errors.ts'
import { PLACEHOLDER_KEY } from './load-config.ts'
import type { ProcessContext } from './process-context.ts'

export interface InitOptions {
  readonly output: string
}

interface Question {
  readonly key: string
  readonly text: string
  readonly isRequired?: boolean
  /** Returns what is wrong with an answer that is not empty. */
  readonly problem?: (answer: string) => string | null
}

const MAX_ATTEMPTS = 5

const isUrl = (answer: string) =>
  OriginUrl.safeParse(answer).success ? null : 'It must start with http:// or https://. A path cannot follow.'
const isInstant = (answer: string) =>
  Instant.safeParse(answer).success ? null : 'It must be a time with an offset: 2027-03-05T18:00:00+01:00.'

/** Few, because everything else has a default that suits most events. */
const QUESTIONS: readonly Question[] = [
  { key: 'name', text: 'Name of the event' },
  { key: 'origin', text: 'URL that players type, such as https://ctf.example', problem: isUrl },
  { key: 'start', text: 'Start, such as 2027-03-05T18:00:00+01:00', problem: isInstant },
  { key: 'end', text: 'End', problem: isInstant },
  {
    key: 'database',
    text: 'PostgreSQL URL (empty: the embedded database)',
    problem: (answer) => (/^postgres(?:ql)?:\/\//.test(answer) ? null : 'It must start with postgres://.'),
  },
  {
    key: 'smtp',
    text: 'SMTP URL for mail, such as smtps://user:password@mail.example (empty: no mail)',
    problem: (answer) => (/^smtps?:\/\//.test(answer) ? null : 'It must start with smtp:// or smtps://.'),
  },
  {
    key: 'from',
    text: 'Sender of mail, such as Example CTF <ctf@example.org>',
    isRequired: true,
    problem: (answer) =>
      Mailbox.safeParse(answer).success ? null : 'It must be an address, or `Name <address>`.',
  },
]

/**
 * `pennant config init`: asks a few questions and writes a commented configuration, readable only by this
 * user. It never overwrites a file.
 */
export async function initConfig(context: ProcessContext, { output }: InitOptions): Promise<void> {
  if (existsSync(output)) throw new StartError(alreadyExists(output))
  context.print('Empty answers keep the default. Everything can be changed in the file later.')
  const answers: Record<string, string> = {}
  for (const question of QUESTIONS) {
    if (question.key === 'from' && !answers['smtp']) continue
    answers[question.key] = await askUntilValid(context, question)
  }
  const text = render(answers)
  await requireValid(text)
  await writeNewFile(output, text, alreadyExists(output))
  context.print(`${output} is written. Check it with \`pennant config check\`, then start the server.`)
}

async function askUntilValid({ ask, print }: ProcessContext, question: Question): Promise<string> {
  const { text, isRequired, problem } = question
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const line = await ask(`${text}: `)
    if (line === null) throw new StartError('The input ended before all questions were answered.')
    const answer = line.trim()
    const wrong = answer === '' ? isRequired && 'It is required.' : problem?.(answer)
    if (!wrong) return answer
    print(wrong)
  }
  throw new StartError(`No valid answer after ${MAX_ATTEMPTS} attempts.`)
}

/** A key without a value is commented out, so that the file shows what can be set. JSON strings are valid YAML. */
function setting(key: string, answer: string | undefined, example: string): string {
  return answer ? `${key}: ${JSON.stringify(answer)}` : `# ${key}: ${example}`
}

function render(answers: Readonly<Record<string, string>>): string {
  const { name, origin, start, end, database, smtp, from } = answers
  const mail = smtp
    ? `email:
  from: ${JSON.stringify(from)}
  provider:
    name: emails/smtp
    options: { smtpUrl: ${JSON.stringify(smtp)} }`
    : `# email:
#   from: Example CTF <ctf@example.org>
#   provider: { name: emails/smtp, options: { smtpUrl: "smtps://user:password@mail.example" } }`
  return `# Configuration of the event. "pennant config keys" describes every key, and
# docs/operate/before-a-public-event.md what to check before registration opens.

${setting('ctfName', name, 'Example CTF')}

# The URL that players type. Links in mail and cookies depend on it.
${setting('origin', origin, 'https://ctf.example')}

# Admins can change both on the site.
${setting('startTime', start, '2027-03-05T18:00:00+01:00')}
${setting('endTime', end, '2027-03-07T18:00:00+01:00')}

# Without a URL, PostgreSQL runs inside the server and keeps its data in the data folder.
${database ? `database: { url: ${JSON.stringify(database)} }` : '# database: { url: "postgres://pennant@db.example/pennant" }'}

# With mail, a team is created after its address was verified, and lost tokens can be recovered.
# Try it with: pennant mail test --to you@example.org
${mail}

# Registration without a captcha invites scripts. This one needs no third party.
captcha:
  provider: { name: captcha/proof-of-work }
  protectedEndpoints: [register, recover]

# Addresses of reverse proxies, whose X-Forwarded-For is trusted. Loopback is trusted by default.
# proxy: { trust: [loopback, 10.0.0.0/8] }

# Where to report vulnerabilities, for /.well-known/security.txt.
# security: { contacts: ["mailto:security@example.org"] }
`
}

async function requireValid(text: string): Promise<void> {
  const { default: yaml } = await import('yaml')
  const values = yaml.parse(text) as Record<string, unknown>
  const first = { source: 'first start', values: { tokenKey: PLACEHOLDER_KEY } }
  readConfig([first, { source: 'your answers', values }])
}

const alreadyExists = (path: string) =>
  `${path} already exists and was not overwritten. Edit it, or name another file with --output.`

/** Readable only by this user, because it may contain passwords. Throws a StartError, `taken` if the file exists. */
export async function writeNewFile(path: string, text: string, taken: string): Promise<void> {
  try {
    await using file = await open(path, 'wx', 0o600)
    await file.writeFile(text)
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    throw new StartError(code === 'EEXIST' ? taken : message, {
      cause,
    })
  }
}
