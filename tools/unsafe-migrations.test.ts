import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadModule } from 'libpg-query'
import { beforeAll, describe, expect, test } from 'vitest'
import { unsafeStatements } from './unsafe-migrations.ts'

const root = join(import.meta.dirname, '..')
const folder = join(root, 'server/migrations')
/** The last migration of the first release: no earlier version runs beside it. */
const LAST_BEFORE_RELEASES = '0018-tiebreak-choice.sql'

beforeAll(() => loadModule())

test('no migration since the first release is unsafe for the version before', () => {
  const releases = readdirSync(join(root, 'tools/upgrades/fixtures')).filter((name) => /^\d/.test(name))
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'))
  const problems = names
    .filter((name) => name > LAST_BEFORE_RELEASES)
    .flatMap((name) =>
      unsafeStatements(readFileSync(join(folder, name), 'utf8'), releases).map((line) => `${name}:${line}`),
    )
  expect(problems).toEqual([])
  expect(names).toContain(LAST_BEFORE_RELEASES)
})

const check = (text: string) => unsafeStatements(text, ['1.0.0'])

test.each([
  ['drop table teams', 'drops'],
  ['drop index teams_name_key', 'drops'],
  ['alter table teams drop column name', 'read or write this column'],
  ['alter table teams rename column name to title', 'old name'],
  ['alter table teams rename to groups', 'old name'],
  ['alter index one rename to two', 'old name'],
  ['alter table teams add column a integer not null', 'no default'],
  ['alter table teams alter column name type varchar(10)', 'former type'],
  ['alter table teams alter column name set not null', 'write null'],
  ['alter table teams alter column name drop not null', 'expect null'],
  ['alter table teams alter column perms drop default', 'default of perms'],
  ['alter table teams add constraint a check (perms > 0) not valid', 'constraint may refuse'],
  ['alter table teams drop constraint a', 'rely on this constraint'],
  ['create unique index a on teams (name)', 'unique index'],
  ['create table a (team text references teams)', 'without "on delete"'],
  ['create table a (team text, foreign key (team) references teams)', 'without "on delete"'],
  ['alter table teams add column a text references challenges', 'without "on delete"'],
  ['create index a on solves (team_id)', 'blocks every write'],
  ['alter table solves add column a text unique', 'blocks every write'],
  ['alter table solves add column a uuid default gen_random_uuid()', 'rewrites'],
  ['alter table solves add column a bigserial', 'rewrites'],
  ['update solves set team_id = null', 'stay locked'],
  ['delete from solves', 'stay locked'],
  ['truncate solves', 'not known'],
  ['lock table solves', 'not known'],
  ['do $$ begin end $$', 'not known'],
  ['alter table solves set unlogged', 'not known'],
])('refuses: %s', (statement, problem) => {
  expect(check(`-- Why.\n\n${statement};`).join('\n')).toMatch(new RegExp(`^3: .*${problem}`))
})

test.each([
  'alter table waves add column a text;\n-- short lock: few rows\ncreate unique index b on waves (a)',
  'alter table teams add column a integer',
  "alter table teams add column a text[] not null default '{}'",
  'alter table teams alter column a set default 1',
  'alter table teams add column a text references challenges on delete set null',
  'create table a (id text primary key, team text references teams on delete cascade); create unique index b on a (id);' +
    'alter table a add constraint c check (id <> team); update a set id = team; create table d (a text references a)',
  'create function f() returns trigger language plpgsql as $$ begin return new; end $$;' +
    'create trigger t before update on teams for each row execute function f()',
])('accepts: %s', (text) => {
  expect(check(text)).toEqual([])
})

describe('comments', () => {
  const drop = 'alter table teams drop column name;'

  test('allow the second step for the statement below, if they name a release', () => {
    expect(check(`-- second step: unused since 1.0.0\n${drop}`)).toEqual([])
    expect(check(`select 1;\n-- second step: unused since 1.0.0\n${drop}\n${drop}`)).toEqual([
      expect.stringMatching(/^1: it is not known/),
      expect.stringMatching(/^4: /),
    ])
    expect(check(`-- second step: unused since 2.0.0\n${drop}`)).toEqual([
      '2: "unused since 2.0.0" does not name a release (1.0.0)',
    ])
    expect(check(`-- short lock: a few rows\n${drop}`)).toHaveLength(1)
  })

  test('allow a lock on a table of which they say why it is short', () => {
    const index = 'create index a on waves (name);'
    expect(check(`-- Größe.\n-- short lock: an event has at most a hundred waves\n${index}`)).toEqual([])
    expect(check(`-- second step: unused since 1.0.0\n${index}`)).toHaveLength(1)
  })
})
