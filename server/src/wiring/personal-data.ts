import sql from 'sql-template-tag'
import type { Config } from '../config/config.ts'
import { personalDataRoutes, type PersonalDataDeps } from '../features/people/personal-data/routes.ts'
import { retentionJob } from '../features/people/personal-data/retention.ts'
import { retentionOf } from '../features/people/personal-data/rules.ts'
import type { Endpoint } from '../http/handler.ts'
import type { Job } from '../worker/job.ts'
import type { Stores } from './stores.ts'

export function personalDataEndpoints(config: Config, stores: Stores): Endpoint[] {
  const { db, world, now, log, follower } = stores
  return personalDataRoutes({
    db,
    now,
    log,
    caughtUp: () => follower.catchUp(),
    people: config.people,
    retention: () => retentionOf(config, world().settings),
    deployment: () => deploymentOf(config, stores),
  })
}

export function personalDataJob(config: Config, { db, world, now, log }: Stores): Job {
  return retentionJob({ db, now, log, retention: () => retentionOf(config, world().settings) })
}

type Deployment = Awaited<ReturnType<PersonalDataDeps['deployment']>>
type Receiver = Deployment['receivers'][number]

/** Services that get personal data. The site of an external-auth client gets what a team agrees to. */
async function deploymentOf(config: Config, { db }: Stores): Promise<Deployment> {
  const sites = await db.query<{ name: string }>(
    sql`select name from external_auth_clients order by name limit 1000`,
  )
  const { backup } = config
  return {
    receivers: [
      ...of('mail', [config.email && placeOf(config.email.provider)]),
      ...of(
        'signIn',
        config.people.providers.map(({ label }) => label),
      ),
      ...of('files', [placeOf(config.uploadProvider)]),
      ...of('captcha', [config.captcha && placeOf(config.captcha.provider)]),
      ...of('analytics', [config.analytics && placeOf(config.analytics.provider)]),
      ...of('messages', [
        ...(config.bloodBot?.destinations ?? []).map(({ provider }) => placeOf(provider)),
        ...(config.questionBot?.destinations ?? []).map(({ provider }) => placeOf(provider)),
      ]),
      ...of('moderation', [config.avatarsModeration && placeOf(config.avatarsModeration.provider)]),
      ...of('ranking', [config.extrank && new URL(config.extrank.userUrl).host]),
      ...of('backups', [backup.store && placeOf(backup.store)]),
      ...of(
        'sites',
        sites.map(({ name }) => name),
      ),
    ],
    measures: [
      ...(config.origin.startsWith('https:') ? (['https'] as const) : []),
      config.database.url === undefined ? 'localDatabase' : 'database',
      ...(config.redis.url === undefined ? [] : (['redis'] as const)),
      ...(backup.schedule > 0 ? (['backups'] as const) : []),
      ...(backup.recipients.length > 0 || backup.passphraseFile !== undefined
        ? (['encryptedBackups'] as const)
        : []),
    ],
  }
}

/** A provider's name, with the host of its service where the options have one. Other options can be secret. */
function placeOf({ name, options }: { readonly name: string; readonly options: unknown }): string {
  const values = Object.entries(options as Readonly<Record<string, unknown>>)
  const host = values.flatMap(([key, value]) => {
    if (typeof value !== 'string') return []
    if (key === 'host') return [value]
    return /url|endpoint/i.test(key) && URL.canParse(value) ? [new URL(value).host] : []
  })[0]
  return host ? `${name} (${host})` : name
}

function of(kind: Receiver['kind'], names: readonly (string | undefined)[]): Receiver[] {
  return names.flatMap((name) => (name === undefined ? [] : [{ kind, name }]))
}
