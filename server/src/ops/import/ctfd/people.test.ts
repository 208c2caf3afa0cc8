import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  at,
  challenge,
  config,
  entriesOf,
  flag,
  importEntries,
  user,
} from '../../../../test/import/ctfd-archive.ts'
import { lossesOf, openTarget, type Target } from '../../../../test/import/target.ts'

let target: Target
beforeEach(async () => {
  target = await openTarget()
})
afterEach(() => target[Symbol.asyncDispose]())

const base = { challenges: [challenge(1)], flags: [flag(1, 1)], submissions: [], solves: [] }

describe('people of CTFd', () => {
  test('in users mode each account is the captain of their own team', async () => {
    await importEntries(
      target,
      entriesOf({ ...base, users: [user(1), user(2), user(3)], config: config({}) }),
    )
    expect(
      await target.rows(
        `select count(*)::int as people from persons p join teams t on t.id = p.team_id where p.is_captain and p.email = t.email`,
      ),
    ).toEqual([{ people: 3 }])
  })

  test('are left out when banned, without an address or with that of another; names are made safe', async () => {
    const users = [
      user(1, { team_id: 1, name: 'Zo\u00eb\u202e' }),
      user(2, { team_id: 1, banned: true }),
      user(3, { team_id: 1, email: 'nonsense' }),
      user(4, { team_id: 1, email: 'U1@users.example' }),
      user(5, { type: 'admin', password: 'hash-of-a-password' }),
      user(6, { team_id: 1, hidden: true }),
    ]
    const teams = [{ id: 1, name: 'Ants', captain_id: 2, created: at('08:00:00') }]
    const result = await importEntries(
      target,
      entriesOf({ ...base, config: config({ user_mode: 'teams' }), users, teams }),
    )
    expect(lossesOf(result)).toEqual(
      expect.arrayContaining(['loss banned-users', 'loss member-addresses', 'loss equal-addresses']),
    )
    expect(
      await target.rows('select name, is_captain as captain from persons order by created_at, email'),
    ).toEqual([
      { name: 'Zo\u00eb', captain: true },
      { name: 'User 6', captain: false },
    ])
    expect(JSON.stringify(await target.rows('select * from persons'))).not.toContain('hash-of-a-password')
  })
})
