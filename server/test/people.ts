import { DAY_MS } from '@pennant/contract/durations.ts'
import sql from 'sql-template-tag'
import { personRows } from '../src/features/people/persons/rows.ts'
import { beginSession } from '../src/features/people/persons/sessions.ts'
import { insertPerson, placeInTeam } from '../src/features/people/persons/store.ts'
import type { Contest, Member } from './harness.ts'

interface PersonOptions {
  readonly name?: string
  readonly email?: string | null
  readonly isCaptain?: boolean
  readonly perms?: number | null
  readonly lifeMs?: number
  readonly methods?: readonly string[]
}

/** A person in a team, with the token of a session. */
export async function personIn(
  contest: Contest,
  teamId: string,
  options: PersonOptions = {},
): Promise<Member> {
  const { isCaptain = false, perms = null } = options
  return await makePerson(contest, options, async (tx, id) => {
    await placeInTeam(tx, { id, teamId, isCaptain, at: contest.clock.now() })
    await tx.query(sql`update persons set perms = ${perms} where id = ${id}`)
    tx.changed(personRows, [id])
  })
}

/** A person in no team, with the token of a session. */
export async function teamless(contest: Contest, options: PersonOptions = {}): Promise<Member> {
  return await makePerson(contest, options, async () => {})
}

type Place = (tx: Parameters<Parameters<Contest['db']['change']>[0]>[0], id: string) => Promise<void>

let made = 0

async function makePerson(contest: Contest, options: PersonOptions, place: Place): Promise<Member> {
  const { name = `Person ${++made}`, email = null, lifeMs = DAY_MS, methods = ['mail'] } = options
  const id = await contest.db.change(async (tx) => {
    const person = await insertPerson(tx, { name, email })
    if (person === null) throw new Error('another person has the address')
    await place(tx, person)
    return person
  })
  const { db, tokens, now } = contest.app.stores
  const session = { personId: id, methods, browser: 'test', ip: '127.0.0.1', lifeMs }
  return { id, token: await beginSession({ db, tokens, now }, session) }
}
