import { isEmail } from '@pennant/contract/fields.ts'
import type { Config } from '../config/config.ts'
import { startInstancers } from '../config/start-instancers.ts'
import { openDatabase } from '../db/database.ts'
import type { Diagnosis, Subject } from '../ops/diagnosis/check.ts'
import { diagnose } from '../ops/diagnosis/diagnose.ts'
import { createDisposal } from '../lib/disposal.ts'
import { StartError } from '../lib/errors.ts'
import type { Markers } from '../lib/key-value.ts'
import { reasonOf } from '../lib/reason.ts'
import { commandLog, providerContext } from './connection.ts'
import { announceDatabase, missingDatabase } from './existing-data.ts'
import { readExistingConfig } from './load-config.ts'
import type { ProcessContext } from './process-context.ts'
import { openPostgres } from './store.ts'
import { plural } from '../lib/plural.ts'

/** How long to try to connect to the database: it either runs or it does not. */
const CONNECT_MS = 5_000
const POOL_SIZE = 2

export interface DoctorCommand {
  readonly json?: boolean
  readonly mailTo?: string
  readonly instances?: boolean
  readonly bot?: boolean
}

/** `pennant doctor`: checks this deployment. Fails if there is an error; warnings alone do not fail. */
export async function doctor(context: ProcessContext, command: DoctorCommand): Promise<void> {
  const { json = false, mailTo, instances, bot } = command
  if (mailTo !== undefined && !isEmail(mailTo)) throw new StartError(`${mailTo} is not an email address.`)
  const { config, isKeyMissing } = await readExistingConfig(context)
  if (isKeyMissing) context.complain('There is no token key yet; the first start creates one.')
  await using disposal = createDisposal()
  const db = await openExisting(config, context, disposal).catch(
    (error: unknown) => `The database cannot be used: ${reasonOf(error)}.`,
  )
  const results = await diagnose({
    ...partsOf(config, context, disposal),
    config,
    now: context.now,
    db,
    mailTo,
    withInstances: instances,
    withBot: bot,
  })
  if (json) context.print(JSON.stringify({ checks: results }))
  else for (const result of results) context.print(lineOf(result))
  const count = (wanted: Diagnosis['severity']) =>
    results.filter(({ severity }) => severity === wanted).length
  const errors = count('error')
  if (!json && errors === 0) context.print(`No errors. Warnings: ${count('warning')}.`)
  if (errors > 0) throw new StartError(`Found ${plural(errors, 'error')}.`)
}

function lineOf({ name, severity, finding, remedy }: Diagnosis): string {
  const label = severity === 'unchecked' ? '-' : severity
  const text = [finding, remedy].filter(Boolean).join(' ')
  return `${label.padEnd(7)} ${name}${text === '' ? '' : `: ${text}`}`
}

type Disposal = ReturnType<typeof createDisposal>

/** The database as it is. The embedded one is started unless it runs, but never created. */
async function openExisting(config: Config, context: ProcessContext, disposal: Disposal) {
  const log = commandLog(context)
  const missing = await missingDatabase(config, context)
  if (missing !== null) return missing
  await announceDatabase(config, context)
  const postgres = await openPostgres(config, log)
  disposal.defer(() => postgres[Symbol.asyncDispose]())
  const db = await openDatabase({
    ...postgres.address,
    log,
    maxPoolSize: POOL_SIZE,
    startTimeoutMs: CONNECT_MS,
  })
  disposal.defer(() => db.close())
  return db
}

/** Starts each configured provider when a check first needs it. */
function partsOf(
  config: Config,
  context: ProcessContext,
  disposal: Disposal,
): Pick<Subject, 'uploads' | 'email' | 'captcha' | 'instancers'> {
  const world = providerContext(config, context)
  return {
    uploads: async () => await config.uploadProvider.start(world),
    async email() {
      const email = (await config.email?.provider.start(world)) ?? null
      disposal.defer(async () => email?.close?.())
      return email
    },
    captcha: async () =>
      (await config.captcha?.provider.start({
        ...world,
        markers: NO_MARKERS,
        signingKey: config.tokenKey,
      })) ?? null,
    async instancers() {
      const instancers = await startInstancers(config, world)
      disposal.defer(async () => await instancers?.close())
      return instancers
    },
  }
}

/** The command never verifies a visitor's code. */
const NO_MARKERS = {} as Markers
