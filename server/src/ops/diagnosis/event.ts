import { HOUR_MS } from '@pennant/contract/durations.ts'
import sql from 'sql-template-tag'
import { effectiveVisibility, visibilityWarnings } from '../../features/contest/visibility/rules.ts'
import { effectiveTimes, isScheduled, type EventTimes } from '../../lib/event-times.ts'
import { hasUsableCode } from '../../features/people/registration/codes.ts'
import { findRun } from '../../features/people/personal-data/retention.ts'
import { retentionOf } from '../../features/people/personal-data/rules.ts'
import { registrationRules, registrationWarnings } from '../../features/site/settings/registration-rules.ts'
import type { SettingsOverrides } from '../../world/model.ts'
import { failure, named, ok, unchecked, warning, type Check, type Finding, type Subject } from './check.ts'
import { peopleWarnings } from './config-warnings.ts'
import { databaseOf } from './database.ts'

async function settingsOf(subject: Subject): Promise<SettingsOverrides> {
  const [row] = await databaseOf(subject).query<{ data: SettingsOverrides }>(sql`select data from settings`)
  return row?.data ?? {}
}

/** The times that organisers stored, or else those of the configuration. */
async function timesOf(subject: Subject): Promise<EventTimes> {
  return effectiveTimes(subject.config, await settingsOf(subject))
}

async function checkRegistration(subject: Subject): Promise<Finding> {
  const rules = registrationRules(subject.config, await settingsOf(subject))
  const [problem] = registrationWarnings(rules)
  if (problem !== undefined) return failure(problem, 'Correct the times under Event settings.')
  const [contradiction] = peopleWarnings(subject.config, rules)
  if (contradiction !== undefined)
    return warning(contradiction, 'Change the configuration, or the registration under Event settings.')
  if (rules.mode === 'code' && !(await hasUsableCode(databaseOf(subject), subject.now())))
    return warning(
      'Registration needs a code, and no code can be used.',
      'Create codes on the page Registration, or choose another way to register.',
    )
  if (rules.mode === 'approval' && !subject.config.email)
    return ok('Mail is not configured: applicants see the decision only on the page of their link.')
  return ok()
}

/** How long the worker may take for the erasure. */
const ERASURE_MS = HOUR_MS

async function checkPersonalData(subject: Subject): Promise<Finding> {
  const { endTime } = await timesOf(subject)
  const { eraseAt } = retentionOf(subject.config, await settingsOf(subject))
  const now = subject.now()
  if (eraseAt === null)
    return endTime <= now
      ? warning(
          'The event is over, and no time is set at which addresses are erased.',
          'Set it on the page Personal data, or as `privacy.eraseAfterDays`.',
        )
      : ok()
  const run = now < eraseAt ? null : await findRun(databaseOf(subject), eraseAt)
  return now < eraseAt + ERASURE_MS || run?.finishedAt != null
    ? ok()
    : warning(
        `Personal data was to be erased at ${new Date(eraseAt).toISOString()}, and the worker has not done it.`,
        'Keep a server with the worker running, and look for "erasure of personal data" in its log.',
      )
}

export const eventChecks: readonly Check[] = [
  { name: 'registration', needsDatabase: true, run: checkRegistration },
  { name: 'personal-data', needsDatabase: true, run: checkPersonalData },
  {
    name: 'event-times',
    needsDatabase: true,
    async run(subject) {
      const { startTime, endTime } = await timesOf(subject)
      if (!isScheduled({ startTime }))
        return warning('The event has no start.', 'Set `startTime`, or the start under Event settings.')
      if (endTime <= startTime)
        return failure('The event ends before it starts.', 'Correct the start or the end of the event.')
      return endTime <= subject.now()
        ? warning('The event is over.', 'Change the end of the event if this is not intended.')
        : ok()
    },
  },
  {
    name: 'visibility',
    needsDatabase: true,
    async run(subject) {
      const [row] = await databaseOf(subject).query<{ data: SettingsOverrides }>(
        sql`select data from settings`,
      )
      const { data = {} } = row ?? {}
      const settings = effectiveVisibility(subject.config.visibility, data)
      const [first] = visibilityWarnings(settings, data.statisticsPublic === true)
      return first === undefined ? ok() : warning(first, 'Correct the visibility under Event settings.')
    },
  },
  {
    name: 'release-times',
    needsDatabase: true,
    async run(subject) {
      const { endTime } = await timesOf(subject)
      const rows = await databaseOf(subject).query<{ name: string; at: number }>(sql`
        select name, (extract(epoch from release_at) * 1000)::float8 as at from challenges
        where not hidden and release_at is not null order by name limit 1000`)
      if (rows.length === 0) return unchecked('No visible challenge has a release time.')
      const late = rows.filter(({ at }) => at >= endTime)
      return late.length === 0
        ? ok()
        : failure(
            `Challenges are released at the end of the event or later: ${named(late.map(({ name }) => name))}.`,
            'Set an earlier release time or hide them.',
          )
    },
  },
]
