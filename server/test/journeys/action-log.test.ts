import { allRoutes } from '@pennant/contract/all.ts'
import type { Client } from '@pennant/contract/client.ts'
import { roles } from '@pennant/contract/permissions.ts'
import type { Route } from '@pennant/contract/route.ts'
import { startInstance } from '@pennant/contract/instances.ts'
import { readFileSync } from 'node:fs'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createProgram } from '../../src/cli/program.ts'
import { pageRows } from '../../src/features/site/pages/rows.ts'
import { findViolations } from '../../src/ops/verify/invariants.ts'
import { verifyActions } from '../../src/ops/verify/actions.ts'
import { putChallenge, putSolve } from '../contest-data.ts'
import { challengeRow, solveRow } from '../contest-rows.ts'
import { apiTokenOf } from '../api-tokens.ts'
import { fairPlayWrites } from '../fair-play-writes.ts'
import { correctionOf, decisionOn, withRule } from '../fields.ts'
import { noon, startContest, type Contest, type Member } from '../harness.ts'
import { mailingTo, withMail } from '../mail.ts'
import { peopleWrites } from '../people-writes.ts'
import { ask } from '../message-threads.ts'
import { zipOf } from '../zips.ts'

// The action log is complete: whatever changes something for organisers leaves an entry.

let contest: Contest
let admin: Member
beforeAll(async () => {
  contest = await startContest({
    config: { ...withMail, ...withRule, instancers: { local: { name: 'instancers/memory' } } },
  })
  admin = await contest.admin()
})
afterAll(() => contest[Symbol.asyncDispose]())

const writes = allRoutes.filter(({ method, perms = [] }) => method !== 'GET' && perms.length > 0)
const nameOf = ({ method, path }: Route) => `${method} ${path}`

/** Routes that leave no entry, and why. */
const withoutEntry: Readonly<Record<string, string>> = {
  'POST /api/v2/admin/users': 'reads: the filter is in the body',
  'POST /api/v2/admin/submissions': 'reads: the filter is in the body',
  'POST /api/v1/admin/upload/query': 'reads: the question is in the body',
  'POST /api/v2/admin/upload/query': 'reads: the question is in the body',
  'POST /api/v2/admin/import': 'needs an empty contest: see server/src/ops/import/upload/routes.test.ts',
  'POST /api/v2/admin/upload/picture': 'needs another site: see features/site/uploads/routes.test.ts',
  'POST /api/v2/admin/field-answers': 'reads: the ids are in the body',
  'POST /api/v2/admin/fair-play/preview': 'counts signals and stores nothing',
  'POST /api/v2/admin/mailings/preview': 'counts addresses and sends nothing',
  'POST /api/v2/admin/flag-trials': 'compares flags and leaves no trace',
  'POST /api/v2/admin/diagnosis': 'checks the deployment and changes nothing',
}

interface Request {
  readonly params?: object
  readonly body?: object
  readonly query?: object
  readonly form?: FormData
}
let serial = 0
const challenge = async () => {
  const id = `challenge-${++serial}`
  await putChallenge(contest.db, challengeRow(id, { flags: [secretFlag] }))
  return id
}
const SECRET = 'k3pt'
const secretFlag = { provider: 'flags/static', config: { flag: `flag{${SECRET}}` } }
const solve = async () => {
  const [challengeId, { id: userId }] = [await challenge(), await contest.team()]
  await putSolve(contest.db, solveRow(++serial, { challengeId, teamId: userId, createdAt: noon }))
  return { challengeId, userId }
}
const team = async () => ({ params: { id: (await contest.team()).id } })
const pending = async () => {
  const id = `pending-${++serial}`
  await contest.db.query(sql`
    insert into pending_registrations (id, email, name, division, expires_at)
    values (${id}, ${`${id}@x.test`}, ${id}, 'open', ${new Date(contest.clock.now() + 60_000)})`)
  return { params: { id } }
}
const waiting = async () => {
  const id = `waiting-${++serial}`
  await contest.db.query(sql`
    insert into registration_requests (id, name, division, extrank_id, waits_for)
    values (${id}, ${id}, 'open', ${id}, 'approval')`)
  return { body: { data: { ids: [id] } } }
}
const newCode = { body: { data: { amount: 1 } } }
const file = (field: string, content: Buffer | string) => {
  const form = new FormData()
  form.append(field, new File([new Uint8Array(Buffer.from(content))], `file-${++serial}`))
  return form
}
const firstUpdate = { state: 'investigating', text: 'We look.' }
const incident = { title: 'Slow', severity: 'minor', components: ['site'], ...firstUpdate }
const mail = async () => mailingTo((await contest.team()).id)
const announcement = { data: { title: 'News' } }
const newPage = () => ({
  data: { slug: `page-${++serial}`, texts: [{ language: 'en', title: 'Rules', content: '' }] },
})
const page = () => idFrom('POST /api/v2/admin/pages', newPage(), 'page')
const edit = { data: { name: 'Edited', flags: [secretFlag], hidden: true } }
const client = { name: 'Chat', redirectUri: 'https://chat.example' }

/** Sends a request of another route first and returns its data. */
async function first(name: string, request: Request): Promise<Record<string, Record<string, string>>> {
  return (await send(name, request)).data as Record<string, Record<string, string>>
}

/** The parameters of what another route makes; `field` of its data, or the data itself. */
async function idFrom(name: string, body: object, field?: string): Promise<Request> {
  const data = await first(name, { body })
  return { params: { id: (field === undefined ? data : data[field])?.['id'] } }
}

async function wave(): Promise<Request> {
  const data = { name: `Wave ${++serial}`, openAt: noon + 3_600_000, challengeIds: [await challenge()] }
  const { wave: made } = await first('POST /api/v2/admin/waves', { body: { data: { ...data, force: true } } })
  return { params: { id: made?.['id'] } }
}

const adjustment = async () => ({
  data: { userId: (await contest.team()).id, points: 5, reason: 'Helped others' },
})

async function hint(): Promise<{ readonly id: string; readonly challengeId: string }> {
  const challengeId = await challenge()
  const request = { params: { id: challengeId }, body: { data: { text: 'Look twice.', price: 5 } } }
  const { hint: made } = await first('POST /api/v2/admin/challs/:id/hints', request)
  return { id: String(made?.['id']), challengeId }
}

/** The version of a thread with one message. */
const NEW_THREAD = 2
const thread = async () => ({ params: { id: (await ask(contest, await contest.team())).id } })

/** A request for each route that writes, which it carries out. */
const requests: Readonly<Record<string, () => Promise<Request>>> = {
  ...fairPlayWrites(() => contest, SECRET),
  'PATCH /api/v2/admin/users/:id/avatar': async () => ({ ...(await team()), form: new FormData() }),
  'POST /api/v2/admin/announcements': async () => ({ body: announcement }),
  'PUT /api/v2/admin/announcements/:id': async () => ({
    ...(await idFrom('POST /api/v2/admin/announcements', announcement, 'announcement')),
    body: { data: { version: 1, title: 'Renamed' } },
  }),
  'DELETE /api/v2/admin/announcements/:id': () =>
    idFrom('POST /api/v2/admin/announcements', announcement, 'announcement'),
  'POST /api/v2/admin/pages': async () => ({ body: newPage() }),
  'PUT /api/v2/admin/pages/:id': async () => ({
    ...(await page()),
    body: { data: { version: 1, published: true } },
  }),
  'DELETE /api/v2/admin/pages/:id': page,
  'PUT /api/v2/admin/page-order': async () => {
    await page()
    await page()
    const ids = contest.world().rows(pageRows)
    return { body: { ids: ids.map(({ id }) => id).toReversed() } }
  },
  'POST /api/v2/admin/incidents': async () => ({ body: incident }),
  'POST /api/v2/admin/incidents/:id/updates': async () => ({
    ...(await idFrom('POST /api/v2/admin/incidents', incident)),
    body: { state: 'resolved', text: 'Done.' },
  }),
  'DELETE /api/v2/admin/incidents/:id': () => idFrom('POST /api/v2/admin/incidents', incident),
  'POST /api/v2/admin/teams/import': async () => ({
    body: { data: { csv: `name,email\nImported ${++serial},i${serial}@x.test`, dryRun: false } },
  }),
  'POST /api/v2/admin/registrations/approve': waiting,
  'POST /api/v2/admin/registrations/refuse': waiting,
  'POST /api/v2/admin/registration-codes': async () => newCode,
  'POST /api/v2/admin/registration-codes/revoke': async () => {
    const { data } = await send('POST /api/v2/admin/registration-codes', newCode)
    const { codes } = data as { codes: { id: string }[] }
    return { body: { data: { ids: codes.map(({ id }) => id) } } }
  },
  'POST /api/v2/admin/external-auth/clients': async () => ({ body: client }),
  'DELETE /api/v2/admin/external-auth/clients/:id': () =>
    idFrom('POST /api/v2/admin/external-auth/clients', client),
  'PUT /api/v1/admin/challs/:id': async () => ({
    params: { id: await challenge() },
    body: { data: { name: 'Edited', flag: `flag{${SECRET}}` } },
  }),
  'PUT /api/v2/admin/challs/:id': async () => ({ params: { id: await challenge() }, body: edit }),
  'DELETE /api/v1/admin/challs/:id': async () => ({ params: { id: await challenge() } }),
  'DELETE /api/v2/admin/challs/:challengeId/solves/:userId': async () => ({ params: await solve() }),
  'DELETE /api/v2/admin/challs/:challengeId/instances/:userId': async () => {
    const settings = { challengeIntegrationId: 'web', config: {}, expose: [], timeoutMilliseconds: 60_000 }
    const id = `challenge-${++serial}`
    await putChallenge(contest.db, challengeRow(id, { instancerConfig: settings }))
    const { id: userId, token } = await contest.team()
    await contest.call(startInstance, { token, params: { id }, body: {} })
    return { params: { challengeId: id, userId } }
  },
  'POST /api/v2/admin/challenges/archive': async () => {
    const content = `name: Imported\nflags: [{ flag: "flag{${SECRET}}" }]\n`
    return {
      form: file('archive', await zipOf([{ name: `web/imported-${++serial}/challenge.yaml`, content }])),
    }
  },
  'POST /api/v1/admin/upload': async () => ({
    body: { files: [{ name: 'a.txt', data: 'data:;base64,YQ==' }] },
  }),
  'POST /api/v2/admin/upload': async () => ({ form: file('files', 'content') }),
  'POST /api/v2/admin/teams': async () => ({
    body: { data: { name: `By hand ${++serial}`, email: `hand-${serial}@teams.example`, division: 'open' } },
  }),
  'PUT /api/v2/admin/users/:id': async () => ({ ...(await team()), body: { data: { banned: true } } }),
  'DELETE /api/v2/admin/users/:id': team,
  'PUT /api/v2/admin/field-answers/:of/:id': async () => correctionOf(await contest.team()),
  'PUT /api/v2/admin/users/:id/eligibility/:rule': async () => decisionOn(await contest.team()),
  'POST /api/v2/admin/users/:id/token': team,
  'POST /api/v2/admin/users/:id/sign-out-everywhere': team,
  'DELETE /api/v2/admin/users/:id/tokens/:tokenId': async () => {
    const { id, token } = await contest.team()
    return { params: { id, tokenId: (await apiTokenOf(contest, token, ['read'])).id } }
  },
  'DELETE /api/v2/admin/users/:userId/solves': async () => {
    const { userId } = await solve()
    return { params: { userId } }
  },
  'PUT /api/v2/admin/organisers/:id': async () => ({
    ...(await team()),
    body: { data: { perms: roles.author } },
  }),
  'POST /api/v2/admin/user-verifications/:id/complete': pending,
  'POST /api/v2/admin/user-verifications/:id/resend': pending,
  'PUT /api/v2/admin/settings': async () => ({ body: { data: { ctfName: `Name ${++serial}` } } }),
  'POST /api/v2/admin/users/:id/erase': team,
  ...peopleWrites(() => contest),
  'POST /api/v2/admin/adjustments': async () => ({ body: await adjustment() }),
  'DELETE /api/v2/admin/adjustments/:id': async () =>
    await idFrom('POST /api/v2/admin/adjustments', await adjustment(), 'adjustment'),
  'POST /api/v2/admin/challs/:id/hints': async () => ({
    params: { id: await challenge() },
    body: { data: { text: 'Look twice.' } },
  }),
  'PUT /api/v2/admin/challs/:id/hints/order': async () => {
    const { id, challengeId } = await hint()
    return { params: { id: challengeId }, body: { data: { hintIds: [id] } } }
  },
  'PUT /api/v2/admin/hints/:id': async () => ({
    params: { id: (await hint()).id },
    body: { data: { version: 1, price: 7 } },
  }),
  'POST /api/v2/admin/hints/:id/release': async () => ({ params: { id: (await hint()).id } }),
  'DELETE /api/v2/admin/hints/:id': async () => ({ params: { id: (await hint()).id } }),
  'POST /api/v2/admin/messages/:id': async () => ({
    ...(await thread()),
    body: { data: { content: 'It is up.', version: NEW_THREAD } },
  }),
  'PUT /api/v2/admin/messages/:id': async () => ({
    ...(await thread()),
    body: { data: { version: NEW_THREAD, closed: true } },
  }),
  'PUT /api/v2/admin/message-options': async () => ({ body: { data: { version: 1, afterEnd: true } } }),
  'POST /api/v2/admin/mailings': async () => ({ body: { data: { ...(await mail()), count: 1 } } }),
  'POST /api/v2/admin/mailings/test': async () => ({ body: { data: await mail() } }),
  'DELETE /api/v2/admin/mailings/:id': async () =>
    await idFrom('POST /api/v2/admin/mailings', { data: { ...(await mail()), count: 1 } }, 'mailing'),
  'POST /api/v2/admin/waves': async () => ({ body: { data: { name: `Wave ${++serial}` } } }),
  'PUT /api/v2/admin/waves/:id': async () => ({
    ...(await wave()),
    body: { data: { version: 1, name: `Wave ${++serial}` } },
  }),
  'POST /api/v2/admin/waves/:id/move': async () => ({
    ...(await wave()),
    body: { data: { version: 1, byMs: 60_000 } },
  }),
  'POST /api/v2/admin/waves/:id/check': async () => await wave(),
  'DELETE /api/v2/admin/waves/:id': async () => await wave(),
  'POST /api/v2/admin/actions/:id/undo': async () => {
    await first('PUT /api/v2/admin/settings', { body: { data: { ctfName: `Name ${++serial}` } } })
    const [row] = await contest.db.query<{ seq: number }>(sql`select seq from action_chain`)
    return { params: { id: String(row?.seq) } }
  },
}

async function send(name: string, request: Request) {
  const route = writes.find((one) => nameOf(one) === name)
  if (!route) throw new Error(`no route ${name}`)
  return await (contest.call as Client)(route, { token: admin.token, query: {}, ...request } as never)
}

interface Entry {
  readonly actor_name: string
  readonly route: string
  readonly ip: string
  readonly request_id: string
}

const entriesAfter = (seq: number) =>
  contest.db.query<Entry>(sql`select * from admin_actions where id > ${seq} order by id`)

async function lastSeq(): Promise<number> {
  const [row] = await contest.db.query<{ seq: number }>(sql`select seq from action_chain`)
  return row?.seq ?? 0
}

describe('every administrative route that writes', () => {
  test('is known here, so that a new one cannot be forgotten', () => {
    const known = [...Object.keys(requests), ...Object.keys(withoutEntry)]
    expect(known.toSorted()).toEqual(writes.map(nameOf).toSorted())
  })

  test.each(Object.entries(requests))('%s leaves an entry', async (name, prepare) => {
    const request = await prepare()
    const before = await lastSeq()
    const result = await send(name, request)
    expect(`${result.kind} ${JSON.stringify(result.data)}`).toMatch(/^good/)
    const entries = await entriesAfter(before)
    expect(entries.length).toBeGreaterThan(0)
    const [entry] = entries
    expect(entry).toMatchObject({
      actor_name: contest.world().team(admin.id)?.name,
      route: name,
      ip: '127.0.0.1',
      request_id: expect.stringMatching(/^[\w-]{12}$/),
    })
  })

  test('a refused request leaves none', async () => {
    const before = await lastSeq()
    const { kind } = await send('PUT /api/v2/admin/challs/:id', {
      params: { id: await challenge() },
      body: { data: { instancerConfig: { instancer: 'nowhere' } } },
    })
    expect(kind).toMatch(/^bad/)
    expect(await entriesAfter(before)).toEqual([])
  })

  test('no entry contains a secret', async () => {
    const text = JSON.stringify(await entriesAfter(0))
    expect(text).toContain('"secret"')
    expect(text).not.toContain(SECRET)
  })

  test('every action is documented, and so has a name on the page', async () => {
    const documented = readFileSync(new URL('../../../docs/reference/actions.md', import.meta.url), 'utf8')
    const found = await contest.db.query<{ action: string }>(sql`select distinct action from admin_actions`)
    expect(found.length).toBeGreaterThan(30)
    expect(found.filter(({ action }) => !documented.includes(`\`${action}\``))).toEqual([])
  })

  test('the chain is whole after all of them', async () => {
    const verified = await contest.db.withClient((connection) => verifyActions(connection, null))
    expect(verified).toMatchObject({ broken: [], head: { seq: await lastSeq() } })
    expect(await contest.db.withClient(findViolations)).toEqual([])
  })
})

/** Why a command leaves no entry; `entry` for those that do (server/src/cli/action-log.slow.test.ts). */
const commands: Readonly<Record<string, string>> = {
  serve: 'what organisers do there has its own entries',
  demo: 'makes an event of its own, in its own folder',
  migrate: 'changes the schema, and is recorded in `migrations`',
  'token-key': 'entry',
  backup: 'reads; it only notes its own time',
  restore: 'entry',
  verify: 'reads',
  doctor: 'checks; what it creates it removes',
  selftest: 'attacks a staging server as an organiser, whose requests have entries',
  'admin create': 'entry',
  'admin link': 'entry',
  'admin list': 'reads',
  'admin promote': 'entry',
  'admin demote': 'entry',
  'admin sign-out': 'entry',
  'signing-key': 'writes a file',
  'config init': 'writes a file',
  'config check': 'reads',
  'config print': 'reads',
  'config keys': 'reads',
  'actions export': 'reads',
  'challenges plan': 'reads a site over HTTP',
  'challenges apply': 'changes a site over HTTP as an organiser, whose requests have entries',
  'challenges check': 'tries flags of a site over HTTP, which leaves no trace',
  'challenges diff': 'reads a site over HTTP',
  'challenges export': 'reads a site over HTTP',
  'import rctf': 'entry',
  'import ctfd': 'entry',
  'team create': 'entry',
  'team import': 'entry',
  login: 'asks a person, whose confirmation has an entry',
  logout: 'revokes a token over HTTP, which has an entry',
  'openid-key': 'entry',
  mcp: 'plays for a team over HTTP',
  'mail test': 'sends a message to the given address',
}

test('every command is known here, so that a new one cannot be forgotten', () => {
  const program = createProgram({ print() {}, complain() {} } as never)
  // Those of `play` are requests of players.
  const listed = program.commands.filter((command) => command.name() !== 'play')
  const names = listed.flatMap((command) => [
    ...(command.commands.length === 0 ? [command.name()] : []),
    ...command.commands.map((sub) => `${command.name()} ${sub.name()}`),
  ])
  expect(names.toSorted()).toEqual(Object.keys(commands).toSorted())
})
