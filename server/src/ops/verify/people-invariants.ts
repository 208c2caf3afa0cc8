export interface Invariant {
  readonly name: string
  /** What must hold, for people. */
  readonly rule: string
  /** Returns one row `found` (text) for each violation. */
  readonly query: string
}

/** Each table of what people sign in with. */
const OF_PEOPLE = ['person_sessions', 'person_identities', 'passkeys', 'recovery_codes', 'api_tokens']

/** What holds of people, whom constraints of the database protect: a restore by hand may have lost them. */
export const peopleInvariants: readonly Invariant[] = [
  {
    name: 'captains',
    rule: 'A team has at most one captain.',
    query: `
      select team_id as found from persons where is_captain group by team_id having count(*) > 1 or team_id is null`,
  },
  {
    name: 'people',
    rule: 'The team of a person exists, and the person joined it; an address belongs to one person.',
    query: `
      select p.id as found from persons p left join teams t on t.id = p.team_id
      where p.team_id is not null and (t.id is null or p.joined_at is null)
      union all select email from persons where email is not null group by email having count(*) > 1`,
  },
  {
    name: 'sign-in',
    rule: 'Sessions, ways to sign in and API tokens belong to a person who exists.',
    query: OF_PEOPLE.map(
      (table) => `
      select '${table} of ' || x.person_id as found from ${table} x left join persons p on p.id = x.person_id
      where x.person_id is not null and p.id is null`,
    ).join(' union all '),
  },
  {
    name: 'registration-codes',
    rule: 'The teams and waiting registrations of a code are counted as its uses, at most as often as it allows.',
    query: `
      select c.id as found from registration_codes c
      where c.uses > c.max_uses or c.uses < (select count(*) from teams t where t.registration_code_id = c.id)`,
  },
  {
    name: 'pages',
    rule: 'The current version of a page is stored, and no later one; what a team accepted is a version that exists.',
    query: `
      select p.slug as found from pages p
      where p.version is distinct from (select max(v.version) from page_versions v where v.page_id = p.id)
      union all select a.page_id || ' by ' || a.team_id from page_acceptances a
        left join page_versions v on v.page_id = a.page_id and v.version = a.version where v.page_id is null`,
  },
  {
    name: 'mailings',
    rule: 'A mail that waits belongs to a mailing that exists and was not stopped.',
    query: `
      select o.id::text as found from outbox o left join mailings m on m.id = o.payload ->> 'mailing'
      where o.kind = 'mailing' and o.payload ->> 'mailing' is not null and o.failed_at is null
        and (m.id is null or m.stopped_at is not null)`,
  },
  {
    name: 'erased-teams',
    rule: 'A team whose personal data was erased has no address, no people and no tokens.',
    query: `
      select id as found from teams t where erased_at is not null and (email is not null or extrank_id is not null
        or join_code is not null or exists (select from persons p where p.team_id = t.id)
        or exists (select from members m where m.team_id = t.id) or exists (select from api_tokens a where a.team_id = t.id))`,
  },
]
