import { createTeam } from '@pennant/contract/admin-teams.ts'
import { verifyV2 } from '@pennant/contract/accounts.ts'
import { importTeams } from '@pennant/contract/registration.ts'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { startContest } from '../../../../test/harness.ts'
import { readCsv } from '../../../lib/read-csv.ts'
import { readTeamFile } from './team-file.ts'

const options = { divisions: { open: 'Open', school: 'Schools' }, defaultDivision: 'school' }

test('reads commas, semicolons, quotes, line breaks in quotes and a byte order mark', () => {
  expect(readCsv('\uFEFFa,b\r\n"x ""1""\r\ny",2\r\n\r\n3,')).toEqual([
    { line: 1, cells: ['a', 'b'] },
    { line: 2, cells: ['x "1"\ny', '2'] },
    { line: 5, cells: ['3', ''] },
  ])
  expect(readCsv('a;b\n1,5;2')).toEqual([
    { line: 1, cells: ['a', 'b'] },
    { line: 2, cells: ['1,5', '2'] },
  ])
  expect(readCsv('a,b\n"open,1\n')).toEqual([
    { line: 1, cells: ['a', 'b'] },
    { line: 2, cells: ['"'] },
  ])
  expect(readCsv('')).toEqual([])
})

test('a division may be an id or a label, and is the default one if empty', () => {
  const csv = 'Email;Name;Division;Country\nA@x.test;Alpha;open;de\nb@x.test;Beta;schools;\nc@x.test;Gamma;;'
  const { teams, problems } = readTeamFile(csv, options)
  expect(problems).toEqual([])
  expect(teams.map(({ email, division, countryCode }) => [email, division, countryCode])).toEqual([
    ['a@x.test', 'open', 'DE'],
    ['b@x.test', 'school', null],
    ['c@x.test', 'school', null],
  ])
})

test('problems name their line and column', () => {
  const lines = [
    'name,email,division,country',
    'x,a@x.test',
    'Alpha,none',
    'Beta,b@x.test,none',
    'Gamma,c@x.test,,XX',
  ]
  const more = ['Delta,d@x.test', 'delta,D@x.test', 'Eps,e@x.test,,,more']
  const { problems } = readTeamFile([...lines, ...more].join('\n'), options)
  expect(problems.map(({ line, column, problem }) => [line, column, problem])).toEqual([
    [2, 'name', 'badName'],
    [3, 'email', 'badEmail'],
    [4, 'division', 'badDivision'],
    [5, 'country', 'badCountry'],
    [7, 'name', 'twiceName'],
    [7, 'email', 'twiceEmail'],
    [8, null, 'unreadable'],
  ])
  expect(readTeamFile('name,phone\n', options).problems).toEqual([
    { line: 1, column: 'email', problem: 'noColumn' },
    { line: 1, column: 'phone', problem: 'unknownColumn' },
  ])
})

test('creates all teams of a file or none, and a dry run none', async () => {
  await using contest = await startContest({ config: { divisions: options.divisions } })
  const { token } = await contest.admin()
  const known = { name: 'Known', email: 'known@x.test', division: 'open' }
  await contest.call(createTeam, { token, body: { data: known } })
  const load = (csv: string, dryRun: boolean) =>
    contest.call(importTeams, { token, body: { data: { csv, dryRun } } })
  const count = async () => (await contest.db.query(sql`select 1 from teams where perms = 0`)).length
  const wrong = 'name,email\nAlpha,a@x.test\nknown,b@x.test'
  expect(await load(wrong, false)).toMatchObject({
    data: { created: false, problems: [{ line: 3, column: 'name', problem: 'knownName' }] },
  })
  const right = 'name,email,country\nAlpha,a@x.test,de\nBeta,b@x.test,'
  expect(await load(right, true)).toMatchObject({ data: { created: false, problems: [], teams: [{}, {}] } })
  expect(await count()).toBe(1)
  const made = await load(right, false)
  if (made.kind !== 'goodTeamImport') throw new Error(made.kind)
  expect(made.data.created).toBe(true)
  expect(await count()).toBe(3)
  const verifyToken = made.data.teams[0]?.token ?? ''
  expect((await contest.call(verifyV2, { body: { verifyToken } })).kind).toBe('goodVerify')
  const player = await contest.team()
  expect((await contest.call(importTeams, { token: player.token, body: { data: { csv: 'x' } } })).kind).toBe(
    'badPerms',
  )
})
