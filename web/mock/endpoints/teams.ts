import { goodEmailSet, goodVerifySent } from '@pennant/contract/accounts.ts'
import { goodAvatarUpdated, updateAvatar } from '@pennant/contract/avatars.ts'
import {
  badExtrankCode,
  badExtrankNoExists,
  exchangeExtrankCode,
  goodExtrankAuthSet,
  goodExtrankRemoved,
  goodExtrankToken,
  removeExtrank,
  setExtrank,
} from '@pennant/contract/extrank.ts'
import { badKnownName, badToken, badUnknownUser } from '@pennant/contract/replies.ts'
import * as contract from '@pennant/contract/teams.ts'
import { on } from '../handler.ts'
import { isTaken } from './accounts.ts'
import { boughtIn } from './hints.ts'
import { bloodOf, standingsOf } from '../standings.ts'
import { tokenOf, type MockTeam, type World } from '../world.ts'

const MOST_MEMBERS = 8
const FRESH_PICTURE =
  'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"%3E%3Cpath d="M0 0h1v1H0z" fill="%230a6470"/%3E%3C/svg%3E'

function profileOf(world: World, team: MockTeam) {
  const standings = standingsOf(world)
  const standing = standings.byTeam.get(team.id)
  const solves = (standing?.solves ?? []).map((solve) => {
    const challenge = world.challenges.get(solve.challengeId)
    const points = standings.points.get(solve.challengeId) ?? null
    return {
      id: solve.challengeId,
      name: challenge?.name ?? '',
      category: challenge?.category ?? '',
      points,
      solves: standings.solves.get(solve.challengeId)?.length ?? null,
      createdAt: solve.createdAt,
      awardedPoints: points,
      bloodIndex: bloodOf(standings, solve),
    }
  })
  return {
    name: team.name,
    division: team.division,
    score: standing?.score ?? 0,
    globalPlace: standing?.globalPlace ?? null,
    divisionPlace: standing?.divisionPlace ?? null,
    extrankId: team.extrankId,
    // The API returns the newest first.
    solves: solves.toReversed(),
    dynamicScores: [...(standing?.live ?? [])],
    avatarUrl: team.avatarUrl,
    countryCode: team.countryCode,
    statusText: team.statusText,
  }
}

/** Applies the changed fields. */
export function changeTeam(world: World, team: MockTeam, changes: Partial<MockTeam>): MockTeam {
  const next = { ...team, ...changes }
  world.teams.set(team.id, next)
  world.version++
  return next
}

const read = on(contract.readProfileV2, ({ world, params }) => {
  const team = world.teams.get(params.id)
  return team && !team.banned ? contract.goodUserDataV2(profileOf(world, team)) : badUnknownUser()
})

const readOwn = on(contract.readOwnProfileV2, ({ world, team }) => {
  if (!team) return badToken()
  const bought = boughtIn(world, team.id)
  return contract.goodUserSelfDataV2({
    ...profileOf(world, team),
    id: team.id,
    teamToken: tokenOf(team.id),
    allowedDivisions: ['open', 'students'],
    perms: team.perms,
    email: team.email,
    banned: team.banned,
    ...(bought.length > 0 && { hintChallenges: bought }),
  })
})

const update = on(contract.updateProfileV2, ({ world, team, body }) => {
  if (!team) return badToken()
  if (body.name !== undefined && isTaken(world, body.name, team.id)) return badKnownName()
  const division = body.division ?? team.division
  if (!['open', 'students', team.division].includes(division)) return contract.badDivisionNotAllowed()
  if (division !== team.division && world.now() >= world.endTime) return contract.badDivisionChangeEnded()
  const { email, ...next } = changeTeam(world, team, {
    name: body.name ?? team.name,
    division,
    countryCode: body.countryCode === undefined ? team.countryCode : body.countryCode,
    statusText: body.statusText === undefined ? team.statusText : body.statusText,
  })
  const { name, avatarUrl, countryCode, statusText } = next
  return contract.goodUserUpdateV2({ user: { name, email, division, avatarUrl, countryCode, statusText } })
})

/** `@example.org` needs no verification, like at registration. */
const setEmail = on(contract.setEmailV2, ({ world, team, body }) => {
  if (!team) return badToken()
  if (!body.email.endsWith('@example.org')) return goodVerifySent()
  changeTeam(world, team, { email: body.email })
  return goodEmailSet()
})

const removeEmail = on(contract.removeEmail, ({ world, team }) => {
  if (!team) return badToken()
  if (team.email === null) return contract.badEmailNoExists()
  if (team.extrankId === null) return contract.badZeroAuth()
  changeTeam(world, team, { email: null })
  return contract.goodEmailRemoved()
})

const signOut = on(contract.signOutEverywhere, ({ team }) => {
  if (!team) return badToken()
  return contract.goodSignOutEverywhere({ authToken: tokenOf(team.id), teamToken: tokenOf(team.id) })
})

const members = on(contract.listMembers, ({ world, team }) =>
  contract.goodMemberData([...(world.members.get(team?.id ?? '') ?? [])]),
)

const addMember = on(contract.createMember, ({ world, team, body }) => {
  if (!team) return badToken()
  const before = world.members.get(team.id) ?? []
  if (before.length >= MOST_MEMBERS) return contract.badTooManyMembers()
  const member = { id: world.nextId('member'), userid: team.id, email: body.email }
  world.members.set(team.id, [...before, member])
  return contract.goodMemberCreate(member)
})

const removeMember = on(contract.deleteMember, ({ world, team, params }) => {
  const before = world.members.get(team?.id ?? '') ?? []
  const kept = before.filter(({ id }) => id !== params.id)
  world.members.set(team?.id ?? '', kept)
  return contract.goodMemberDelete()
})

/** Sets the avatar if the form has an image; removes it otherwise. */
const avatar = on(updateAvatar, ({ world, team, form }) => {
  if (!team) return badToken()
  const hasFile = form?.get('avatar') instanceof Blob
  const url = hasFile ? FRESH_PICTURE : null
  changeTeam(world, team, { avatarUrl: url })
  return goodAvatarUpdated({ url })
})

const extrankCode = on(exchangeExtrankCode, ({ body }) => {
  if (body.extrankCode === 'bad') return badExtrankCode()
  return goodExtrankToken({ extrankToken: 'mock-rank', extrankName: 'Ranked Crew', extrankId: '90210' })
})

const link = on(setExtrank, ({ world, team }) => {
  if (!team) return badToken()
  changeTeam(world, team, { extrankId: '90210' })
  return goodExtrankAuthSet()
})

const unlink = on(removeExtrank, ({ world, team }) => {
  if (!team) return badToken()
  if (team.extrankId === null) return badExtrankNoExists()
  if (team.email === null) return contract.badZeroAuth()
  changeTeam(world, team, { extrankId: null })
  return goodExtrankRemoved()
})

export const teamEndpoints = [
  // Before `read`, whose path would match `me` as an id.
  readOwn,
  read,
  update,
  setEmail,
  removeEmail,
  signOut,
  members,
  addMember,
  removeMember,
  avatar,
  extrankCode,
  link,
  unlink,
]
