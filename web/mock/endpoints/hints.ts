import * as contract from '@pennant/contract/hints.ts'
import { badChallenge, badEnded } from '@pennant/contract/replies.ts'
import type { z } from 'zod'
import { on } from '../handler.ts'
import { hasSolved, publicChallenge, type MockHint, type World } from '../world.ts'
import { standingsOf } from '../standings.ts'
import { adjust } from './adjustments.ts'

const MINUTE_MS = 60_000

function releaseAtOf(world: World, { challengeId, release, releasedAt }: MockHint): number | null {
  if (release.kind === 'manual') return releasedAt
  if (release.kind === 'time') return release.at
  const challengeAt = world.challenges.get(challengeId)?.releaseTime ?? world.startTime
  return Math.max(challengeAt, world.startTime) + release.minutes * MINUTE_MS
}

const isReleased = (world: World, hint: MockHint) => (releaseAtOf(world, hint) ?? Infinity) <= world.now()

/** How many hints players see on a challenge. */
export function countHints(world: World, challengeId: string): number {
  return world.hints.filter((hint) => hint.challengeId === challengeId && isReleased(world, hint)).length
}

/** The challenges of which the team has bought hints. */
export function boughtIn(world: World, teamId: string): string[] {
  return [...new Set(world.hints.filter(({ paid }) => paid.has(teamId)).map((hint) => hint.challengeId))]
}

function view(hint: MockHint, teamId: string | undefined): z.input<typeof contract.Hint> {
  const paid = teamId === undefined ? undefined : hint.paid.get(teamId)
  const bought = paid !== undefined
  return {
    id: hint.id,
    price: paid ?? hint.price,
    bought,
    text: bought || hint.price === 0 ? hint.text : null,
  }
}

const list = on(contract.listHints, ({ world, team, params: { id } }) => {
  if (!publicChallenge(world, id)) return badChallenge()
  const isKnown = (hint: MockHint) => isReleased(world, hint) || (team !== null && hint.paid.has(team.id))
  const hints = world.hints.filter((hint) => hint.challengeId === id && isKnown(hint))
  const score = team ? (standingsOf(world).byTeam.get(team.id)?.score ?? 0) : null
  return contract.goodHints({ hints: hints.map((hint) => view(hint, team?.id)), score })
})

const buy = on(contract.buyHint, ({ world, team, params: { id, hintId }, body: { price } }) => {
  const challenge = publicChallenge(world, id)
  if (!challenge || !team) return badChallenge()
  const hint = world.hints.find((each) => each.id === hintId && each.challengeId === id)
  if (!hint || !(isReleased(world, hint) || hint.paid.has(team.id))) return contract.badHint()
  if (hint.price === 0 || hint.paid.has(team.id))
    return contract.goodHint({ hint: view(hint, team.id), charged: 0 })
  if (world.now() >= world.endTime) return badEnded()
  if (hasSolved(world, team.id, id)) return contract.badHintSolved()
  if (hint.price !== price) return contract.badHintPrice({ price: hint.price })
  if ((standingsOf(world).byTeam.get(team.id)?.score ?? 0) < price) return contract.badHintPoints()
  hint.paid.set(team.id, price)
  adjust(world, { teamId: team.id, points: -price, reason: `Hint 1 of ${challenge.name}` })
  return contract.goodHint({ hint: view(hint, team.id), charged: price })
})

function adminView(world: World, hint: MockHint): z.input<typeof contract.AdminHint> {
  const { id, challengeId, text, price, release, version } = hint
  const releaseAt = releaseAtOf(world, hint)
  return { id, challengeId, text, price, release, releaseAt, purchases: hint.paid.size, version }
}

function adminList(world: World, id: string) {
  const hints = world.hints.filter(({ challengeId }) => challengeId === id)
  return contract.goodAdminHints({ hints: hints.map((hint) => adminView(world, hint)) })
}

const listAll = on(contract.listAdminHints, ({ world, params: { id } }) =>
  world.challenges.has(id) ? adminList(world, id) : badChallenge(),
)

const create = on(contract.createHint, ({ world, params: { id }, body: { data } }) => {
  if (!world.challenges.has(id)) return badChallenge()
  const hint = {
    ...data,
    id: world.nextId('hint'),
    challengeId: id,
    releasedAt: null,
    version: 1,
    paid: new Map(),
  }
  world.hints.push(hint)
  return contract.goodAdminHint({ hint: adminView(world, hint) })
})

const order = on(contract.orderHints, ({ world, params: { id }, body: { data } }) => {
  if (!world.challenges.has(id)) return badChallenge()
  const own = world.hints.filter(({ challengeId }) => challengeId === id)
  const sorted = data.hintIds.flatMap((hintId) => own.find((hint) => hint.id === hintId) ?? [])
  if (sorted.length !== own.length) return contract.badHintOrder()
  const others = world.hints.filter(({ challengeId }) => challengeId !== id)
  world.hints.splice(0, world.hints.length, ...others, ...sorted)
  return adminList(world, id)
})

/** Replaces a hint. */
function write(world: World, id: string, patch: Partial<MockHint>) {
  const at = world.hints.findIndex((hint) => hint.id === id)
  const old = world.hints[at]
  if (!old) return contract.badHint()
  const hint = { ...old, ...patch, version: old.version + 1 }
  world.hints[at] = hint
  return contract.goodAdminHint({ hint: adminView(world, hint) })
}

const update = on(contract.updateHint, ({ world, params: { id }, body: { data } }) => {
  const { version, text, price, release } = data
  const old = world.hints.find((hint) => hint.id === id)
  if (old && old.version !== version) return contract.badHintVersion({ version: old.version })
  return write(world, id, {
    ...(text !== undefined && { text }),
    ...(price !== undefined && { price }),
    ...(release && { release, releasedAt: null }),
  })
})

const releaseNow = on(contract.releaseHint, ({ world, params: { id } }) =>
  write(world, id, { release: { kind: 'manual' }, releasedAt: world.now() }),
)

const remove = on(contract.deleteHint, ({ world, params: { id }, query: { refund } }) => {
  const at = world.hints.findIndex((hint) => hint.id === id)
  const hint = world.hints[at]
  if (!hint) return contract.badHint()
  const purchases = hint.paid.size
  if (purchases > 0 && refund !== 'true') return contract.badHintBought({ purchases })
  for (const [teamId, price] of hint.paid) adjust(world, { teamId, points: price, reason: 'Refund' })
  world.hints.splice(at, 1)
  return contract.goodHintDelete({ refunded: purchases })
})

export const hintEndpoints = [list, buy, listAll, create, order, update, releaseNow, remove]
