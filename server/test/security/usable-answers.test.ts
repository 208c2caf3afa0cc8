import { createHmac } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { login } from '@pennant/contract/accounts.ts'
import { allPermissions, hasPermissions, permissions, roles } from '@pennant/contract/permissions.ts'
import { readOwnProfileV2 } from '@pennant/contract/teams.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openZip } from '../../src/features/organisers/archives/read-zip.ts'
import { startContest, type Contest, type Member } from '../harness.ts'
import { fullDeployment, type Deployment } from '../fuzz/deployments.ts'
import { temporaryFolder } from '../folder.ts'
import { putDynamic } from '../pushes.ts'
import { addressesOf, readRoutes, type Seeds } from './crawl.ts'

// Whoever reads a credential can use it. So nothing in any response to a role may be accepted by a route that the role may not
// call: as the secret of a signature, as a token of another team or of the worker. All read routes are crawled for every role
// and every single permission; new routes are included automatically.

const dynamicIds = ['shown', 'hidden']
const secretOf = (id: string) => `push-secret-of-${id}-0123456789`

let deployment: Deployment
let contest: Contest
let player: Member
let seeds: Seeds
beforeAll(async () => {
  deployment = await fullDeployment()
  contest = await startContest({ config: deployment.config })
  for (const id of dynamicIds)
    await putDynamic(contest, id, { secret: secretOf(id), hidden: id === 'hidden' })
  player = await contest.team()
  seeds = { challengeIds: dynamicIds, teamIds: [player.id], token: 'none' }
})
afterAll(async () => {
  await contest[Symbol.asyncDispose]()
  await deployment[Symbol.asyncDispose]()
})

/** Everything that the caller can read, as words: JSON strings and what separators leave of them. */
async function wordsFor(caller: Member): Promise<Set<string>> {
  const words = new Set<string>()
  for (const route of readRoutes) {
    for (const address of addressesOf(route, seeds)) {
      contest.clock.advance(1000)
      const headers = { authorization: `Bearer ${caller.token}` }
      const response = await fetch(contest.url + address, { headers, redirect: 'manual' })
      const text =
        route.file?.includes('zip') && response.ok ? await unzipped(response) : await response.text()
      for (const word of wordsIn(text)) words.add(word)
    }
  }
  // The description of the API is the same for every deployment.
  const description = await (await fetch(`${contest.url}/api/openapi.json`)).text()
  return new Set([...words].filter((word) => !description.includes(word)))
}

function wordsIn(text: string): string[] {
  const quoted = Array.from(text.matchAll(/"([!-~]{8,}?)"/g), ([, whole = '']) => whole)
  return [...quoted, ...Array.from(text.matchAll(/[\w+/=.~-]{8,}/g), ([word]) => word)]
}

async function unzipped(response: Response): Promise<string> {
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'archive.zip')
  await writeFile(path, Buffer.from(await response.arrayBuffer()))
  const opened = await openZip(path, { maxFileBytes: 1024 ** 2 })
  if ('problems' in opened) throw new Error('the archive is damaged')
  await using tree = opened.tree
  const texts = await Promise.all(
    [...tree.sizes.keys()].map(async (name) => await textOf(await tree.open(name))),
  )
  return texts.join('\n')
}

interface Use {
  readonly as: string
  /** Whose token it is. */
  readonly teamId?: string
}

/** What a word is accepted as, whoever sends it. Most words are read by many callers, and tried once. */
async function usesOf(word: string): Promise<Use[]> {
  contest.clock.advance(1000)
  const [profile, signedIn, ...pushed] = await Promise.all([
    contest.call(readOwnProfileV2, { token: word }),
    contest.call(login, { body: { teamToken: word } }),
    ...dynamicIds.map((id) => pushes(id, word)),
  ])
  const uses: Use[] = dynamicIds.filter((_, at) => pushed[at]).map((id) => ({ as: `the secret of ${id}` }))
  if (profile.kind === 'goodUserSelfData') uses.push({ as: 'an auth token', teamId: profile.data.id })
  if (signedIn.kind === 'goodLogin') {
    const own = await contest.call(readOwnProfileV2, { token: signedIn.data.authToken })
    uses.push({ as: 'a team token', teamId: own.kind === 'goodUserSelfData' ? own.data.id : '' })
  }
  if (word === deployment.serviceToken) uses.push({ as: 'the token of the worker' })
  return uses
}

const tried = new Map<string, Promise<Use[]>>()

/** The words that some route accepts as a credential of someone else. */
async function usable(words: ReadonlySet<string>, caller: Member): Promise<string[]> {
  const found: string[] = []
  for (const word of words) {
    const uses = tried.get(word) ?? usesOf(word)
    tried.set(word, uses)
    for (const { as, teamId } of await uses) if (teamId !== caller.id) found.push(`${word} as ${as}`)
  }
  return found
}

async function pushes(id: string, secret: string): Promise<boolean> {
  const body = JSON.stringify({ scores: [{ userId: player.id, points: 1 }] })
  const timestamp = String(contest.clock.now())
  const signature = createHmac('sha256', secret).update(`${timestamp}.${id}.${body}`).digest('hex')
  const response = await fetch(`${contest.url}/api/v2/challs/${id}/scores`, {
    method: 'POST',
    headers: { 'x-svc-timestamp': timestamp, 'x-svc-signature': `sha256=${signature}` },
    body,
  })
  await response.text()
  return response.status === 200
}

const callers: [string, number][] = [
  ['a player', 0],
  ...Object.entries(roles),
  ...allPermissions.map((name): [string, number] => [name, permissions[name]]),
]

test.each(callers)('%s reads nothing that gives more than its permissions', async (_name, perms) => {
  const caller = perms === 0 ? player : await contest.admin(perms)
  const found = await usable(await wordsFor(caller), caller)
  const isWriter = hasPermissions(perms, ['challsRead', 'challsWrite'])
  // What those who write challenges may read is found, so the test cannot pass without looking.
  const expected = isWriter ? dynamicIds.map((id) => `${secretOf(id)} as the secret of ${id}`) : []
  expect(found.toSorted()).toEqual(expected.toSorted())
})
