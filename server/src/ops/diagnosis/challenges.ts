import { looksCut } from '@pennant/contract/flag-text.ts'
import sql, { empty } from 'sql-template-tag'
import { failure, named, ok, unchecked, warning, type Check } from './check.ts'
import { databaseOf } from './database.ts'
import { isChecked, shownName } from './scope.ts'

/** Submitting a flag as an organiser would count as a solve. */
export const TRY_FLAGS = 'Try the flag of each in its editor or with `pennant challenges check`.'

export const challengeChecks: readonly Check[] = [
  {
    name: 'challenge-flags',
    needsDatabase: true,
    async run(subject) {
      const rows = await databaseOf(subject).query<{ name: string; hasFlag: boolean }>(sql`
        select ${shownName}, flags <> '[]' or scoring_kind = 'dynamic' as "hasFlag" from challenges c
        where ${isChecked(subject)} order by name limit 1000`)
      if (rows.length === 0)
        return warning('No challenge is visible.', 'Create challenges and make them visible.')
      const without = rows.filter(({ hasFlag }) => !hasFlag).map(({ name }) => name)
      return without.length === 0
        ? ok()
        : failure(`Visible challenges have no flag: ${named(without)}.`, 'Add a flag or hide them.')
    },
  },
  {
    name: 'flag-blanks',
    needsDatabase: true,
    // Flags are compared as they are, and no one copies a blank that cannot be seen.
    async run(subject) {
      const rows = await databaseOf(subject).query<{ name: string; hasBlank: boolean }>(sql`
        select ${shownName}, exists (
          select from jsonb_array_elements(c.flags) entry, jsonb_each_text(entry -> 'config') value
          where value.key in ('flag', 'pattern', 'regex') and value.value ~ '^\\s|\\s$') as "hasBlank"
        from challenges c where ${isChecked(subject)} and flags <> '[]' order by name limit 1000`)
      if (rows.length === 0) return unchecked('No visible challenge has a flag.')
      const blank = rows.filter(({ hasBlank }) => hasBlank).map(({ name }) => name)
      return blank.length === 0
        ? ok()
        : warning(
            `Flags begin or end with a blank: ${named(blank)}.`,
            'Remove it; players would have to submit it.',
          )
    },
  },
  {
    name: 'flag-cut',
    needsDatabase: true,
    async run(subject) {
      const rows = await databaseOf(subject).query<{ name: string; flags: string[] }>(sql`
        select ${shownName}, array(
          select entry -> 'config' ->> 'flag' from jsonb_array_elements(c.flags) entry
          where jsonb_typeof(entry -> 'config' -> 'flag') = 'string') as flags
        from challenges c where ${isChecked(subject)} and flags <> '[]' order by name limit 1000`)
      if (rows.length === 0) return unchecked('No visible challenge has a flag.')
      const cut = rows.filter(({ flags }) => flags.some(looksCut)).map(({ name }) => name)
      return cut.length === 0
        ? ok()
        : warning(
            `Flags have a { without a } after it: ${named(cut)}.`,
            'Compare them with the source: in YAML, " #" begins a comment and ends a flag without quotes.',
          )
    },
  },
  {
    name: 'challenge-points',
    needsDatabase: true,
    async run(subject) {
      const rows = await databaseOf(subject).query<{ name: string; points: number }>(sql`
        select ${shownName}, points_max as points from challenges c
        where ${isChecked(subject)} and scoring_kind <> 'dynamic' order by name limit 1000`)
      if (rows.length === 0) return unchecked('No visible challenge has points of its own.')
      const worthless = rows.filter(({ points }) => points <= 0).map(({ name }) => name)
      return worthless.length === 0
        ? ok()
        : warning(
            `Challenges are worth 0 points: ${named(worthless)}.`,
            'Set their points unless this is intended.',
          )
    },
  },
  {
    name: 'flag-trials',
    needsDatabase: true,
    // A solve before the last edit of a challenge may have been one of another flag. A trial names the flags it tried.
    async run(subject) {
      const rows = await databaseOf(subject).query<{ name: string; isTried: boolean }>(sql`
        select ${shownName}, exists (
          select from flag_trials t where t.challenge_id = c.id and t.flags_hash = md5(c.flags::text)) or exists (
          select from submissions s where s.challenge_id = c.id and s.result = 'correct' and s.created_at >= coalesce(
            (select max(at) from admin_actions where target = c.id and action in ('challenge.create', 'challenge.update')),
            '-infinity')) as "isTried"
        from challenges c where ${isChecked(subject)} and scoring_kind <> 'dynamic' and flags <> '[]' order by name limit 1000`)
      if (rows.length === 0) return unchecked('No visible challenge has a flag.')
      const untried = rows.filter(({ isTried }) => !isTried).map(({ name }) => name)
      return untried.length === 0
        ? ok()
        : warning(`No flag of these was accepted since their last change: ${named(untried)}.`, TRY_FLAGS)
    },
  },
  {
    name: 'organiser-solves',
    needsDatabase: true,
    async run(subject) {
      const rows = await databaseOf(subject).query<{ name: string }>(sql`
        select name from teams t where perms <> 0 and not banned and exists (
          select from solves s where s.team_id = t.id union all select from feed_scores f where f.team_id = t.id)
        order by name limit 1000`)
      return rows.length === 0
        ? ok()
        : warning(
            `Teams of organisers have solves, which count in the standings: ${named(rows.map(({ name }) => name))}.`,
            'Remove them on the dashboard. Try flags in the editor of a challenge instead of submitting them.',
          )
    },
  },
  {
    name: 'scoring-secrets',
    needsDatabase: true,
    async run(subject) {
      const rows = await databaseOf(subject).query<{ name: string; isShared: boolean }>(sql`
        select ${shownName}, exists (
          select from challenges o where o.id <> c.id and o.scoring_kind = 'dynamic' and o.scoring_secret = c.scoring_secret
        ) as "isShared"
        from challenges c where scoring_kind = 'dynamic' and scoring_secret <> '' ${
          subject.challengeId === undefined ? empty : sql`and ${isChecked(subject)}`
        } order by name limit 1000`)
      if (rows.length === 0) return unchecked('No challenge receives pushed scores.')
      const shared = rows.filter(({ isShared }) => isShared).map(({ name }) => name)
      return shared.length === 0
        ? ok()
        : failure(`Dynamic challenges share a secret: ${named(shared)}.`, 'Give each a secret of its own.')
    },
  },
  {
    name: 'flag-secrets',
    needsDatabase: true,
    // Two challenges with the same flag: solving one solves the other.
    async run(subject) {
      const rows = await databaseOf(subject).query<{ name: string; isShared: boolean }>(sql`
        select distinct name, "isShared" from (
          select name, "isChecked", count(*) over (partition by flag) > 1 as "isShared" from (
            select distinct c.id, ${shownName}, entry as flag, ${isChecked(subject)} as "isChecked"
            from challenges c, jsonb_array_elements(c.flags) entry
            where not c.hidden or ${isChecked(subject)} order by name limit 5000) entries) counted
        where "isChecked" order by name`)
      if (rows.length === 0) return unchecked('No visible challenge has a flag.')
      const shared = rows.filter(({ isShared }) => isShared).map(({ name }) => name)
      return shared.length === 0
        ? ok()
        : warning(`Challenges have the same flag: ${named(shared)}.`, 'Give each a flag of its own.')
    },
  },
]
