import { looksCut } from '@pennant/contract/flag-text.ts'
import sql, { empty, type Sql } from 'sql-template-tag'
import { failure, named, ok, unchecked, warning, type Check, type Finding, type Subject } from './check.ts'
import { databaseOf } from './database.ts'
import { isChecked, shownName } from './scope.ts'

/** Submitting a flag as an organiser would count as a solve. */
export const TRY_FLAGS = 'Try the flag of each in its editor or with `pennant challenges check`.'

interface Row {
  readonly name: string
  readonly isWrong: boolean
  /** Instead of `isWrong`: what is not decided in SQL. */
  readonly flags?: readonly string[]
}

interface Rule {
  readonly name: string
  /** Rows of challenges or teams. */
  readonly rows: (subject: Subject) => Sql
  /** Without any row. */
  readonly none: Finding
  /** With the names of those that are wrong. */
  readonly found: (names: string) => Finding
}

function checkOf({ name, rows: query, none, found }: Rule): Check {
  return {
    name,
    needsDatabase: true,
    async run(subject) {
      const rows = await databaseOf(subject).query<Row>(query(subject))
      if (rows.length === 0) return none
      const wrong = rows.filter(({ isWrong, flags }) => flags?.some(looksCut) ?? isWrong)
      return wrong.length === 0 ? ok() : found(named(wrong.map((row) => row.name)))
    },
  }
}

const NO_FLAGS = unchecked('No visible challenge has a flag.')

const RULES: readonly Rule[] = [
  {
    name: 'challenge-flags',
    rows: (subject) => sql`
      select ${shownName}, flags = '[]' and scoring_kind <> 'dynamic' as "isWrong" from challenges c
      where ${isChecked(subject)} order by name limit 1000`,
    none: warning('No challenge is visible.', 'Create challenges and make them visible.'),
    found: (names) => failure(`Visible challenges have no flag: ${names}.`, 'Add a flag or hide them.'),
  },
  {
    name: 'flag-blanks',
    // Flags are compared as they are, and no one copies a blank that cannot be seen.
    rows: (subject) => sql`
      select ${shownName}, exists (
        select from jsonb_array_elements(c.flags) entry, jsonb_each_text(entry -> 'config') value
        where value.key in ('flag', 'pattern', 'regex') and value.value ~ '^\\s|\\s$') as "isWrong"
      from challenges c where ${isChecked(subject)} and flags <> '[]' order by name limit 1000`,
    none: NO_FLAGS,
    found: (names) =>
      warning(`Flags begin or end with a blank: ${names}.`, 'Remove it; players would have to submit it.'),
  },
  {
    name: 'flag-cut',
    rows: (subject) => sql`
      select ${shownName}, array(
        select entry -> 'config' ->> 'flag' from jsonb_array_elements(c.flags) entry
        where jsonb_typeof(entry -> 'config' -> 'flag') = 'string') as flags
      from challenges c where ${isChecked(subject)} and flags <> '[]' order by name limit 1000`,
    none: NO_FLAGS,
    found: (names) =>
      warning(
        `Flags have a { without a } after it: ${names}.`,
        'Compare them with the source: in YAML, " #" begins a comment and ends a flag without quotes.',
      ),
  },
  {
    name: 'challenge-points',
    rows: (subject) => sql`
      select ${shownName}, points_max <= 0 as "isWrong" from challenges c
      where ${isChecked(subject)} and scoring_kind <> 'dynamic' order by name limit 1000`,
    none: unchecked('No visible challenge has points of its own.'),
    found: (names) =>
      warning(`Challenges are worth 0 points: ${names}.`, 'Set their points unless this is intended.'),
  },
  {
    name: 'flag-trials',
    // A solve before the last edit of a challenge may have been one of another flag. A trial names the flags it tried.
    rows: (subject) => sql`
      select ${shownName}, not (exists (
        select from flag_trials t where t.challenge_id = c.id and t.flags_hash = md5(c.flags::text)) or exists (
        select from submissions s where s.challenge_id = c.id and s.result = 'correct' and s.created_at >= coalesce(
          (select max(at) from admin_actions where target = c.id and action in ('challenge.create', 'challenge.update')),
          '-infinity'))) as "isWrong"
      from challenges c where ${isChecked(subject)} and scoring_kind <> 'dynamic' and flags <> '[]' order by name limit 1000`,
    none: NO_FLAGS,
    found: (names) => warning(`No flag of these was accepted since their last change: ${names}.`, TRY_FLAGS),
  },
  {
    name: 'organiser-solves',
    rows: () => sql`
      select name, true as "isWrong" from teams t where perms <> 0 and not banned and exists (
        select from solves s where s.team_id = t.id union all select from feed_scores f where f.team_id = t.id)
      order by name limit 1000`,
    none: ok(),
    found: (names) =>
      warning(
        `Teams of organisers have solves, which count in the standings: ${names}.`,
        'Remove them on the dashboard. Try flags in the editor of a challenge instead of submitting them.',
      ),
  },
  {
    name: 'scoring-secrets',
    rows: (subject) => sql`
      select ${shownName}, exists (
        select from challenges o where o.id <> c.id and o.scoring_kind = 'dynamic' and o.scoring_secret = c.scoring_secret
      ) as "isWrong"
      from challenges c where scoring_kind = 'dynamic' and scoring_secret <> '' ${
        subject.challengeId === undefined ? empty : sql`and ${isChecked(subject)}`
      } order by name limit 1000`,
    none: unchecked('No challenge receives pushed scores.'),
    found: (names) =>
      failure(`Dynamic challenges share a secret: ${names}.`, 'Give each a secret of its own.'),
  },
  {
    name: 'flag-secrets',
    // Two challenges with the same flag: solving one solves the other.
    rows: (subject) => sql`
      select distinct name, "isWrong" from (
        select name, "isChecked", count(*) over (partition by flag) > 1 as "isWrong" from (
          select distinct c.id, ${shownName}, entry as flag, ${isChecked(subject)} as "isChecked"
          from challenges c, jsonb_array_elements(c.flags) entry
          where not c.hidden or ${isChecked(subject)} order by name limit 5000) entries) counted
      where "isChecked" order by name`,
    none: NO_FLAGS,
    found: (names) => warning(`Challenges have the same flag: ${names}.`, 'Give each a flag of its own.'),
  },
]

export const challengeChecks: readonly Check[] = RULES.map(checkOf)
