import {
  badLastOwner,
  goodOrganisers,
  goodOrganiserUpdate,
  listOrganisers,
  setOrganiser,
} from '@pennant/contract/admin-organisers.ts'
import {
  badUserPrivileged,
  createTeam,
  createTeamToken,
  deleteTeam,
  deleteTeamSolves,
  filterTeams,
  goodAdminUser,
  goodAdminUserCreate,
  goodAdminUserDelete,
  goodAdminUserSignOut,
  goodAdminUsers,
  goodAdminUserUpdate,
  goodAllChallengeSolvesDelete,
  goodCreateUserToken,
  listTeams,
  readTeam,
  signOutTeam,
  updateTeam,
} from '@pennant/contract/admin-teams.ts'
import {
  badUnknownVerification,
  completeVerification,
  goodAdminUserVerificationComplete,
  goodAdminUserVerificationResend,
  goodAdminUserVerifications,
  listVerifications,
  resendVerification,
} from '@pennant/contract/admin-verifications.ts'
import { goodAvatarUpdated, updateTeamAvatar } from '@pennant/contract/avatars.ts'
import { passes } from '@pennant/contract/filters.ts'
import { ALL_PERMISSIONS } from '@pennant/contract/permissions.ts'
import { badKnownEmail, badKnownName, badUnknownUser } from '@pennant/contract/replies.ts'
import type { QueryOf } from '@pennant/contract/route.ts'
import { on } from '../handler.ts'
import { removeSolves, standingsOf, type Standing } from '../standings.ts'
import { tokenOf, type MockTeam, type World } from '../world.ts'
import { addTeam, isTaken } from './accounts.ts'
import { changeTeam } from './teams.ts'

type Query = QueryOf<typeof listTeams>

function statusOf({ banned, perms }: MockTeam) {
  return perms > 0 ? 'admin' : banned ? 'banned' : 'active'
}

function rowOf({ team, score, solves, live }: Standing) {
  const { extrankId: _, createdAt, ...shown } = team
  const solveCount = solves.length + live.length
  return { ...shown, score, solveCount, createdAt: new Date(createdAt).toISOString() }
}

function standingOf(world: World, team: MockTeam): Standing {
  const none = { team, score: 0, solves: [], live: [], globalPlace: null, divisionPlace: null }
  return standingsOf(world).byTeam.get(team.id) ?? none
}

const SORTS: Readonly<Record<Query['sortBy'], (standing: Standing) => string | number>> = {
  createdAt: ({ team }) => team.createdAt,
  team: ({ team }) => team.name.toLowerCase(),
  email: ({ team }) => team.email ?? '',
  division: ({ team }) => team.division,
  score: ({ score }) => score,
  solves: ({ solves }) => solves.length,
  status: ({ team }) => statusOf(team),
}

function pageOf(world: World, query: Query, isWanted: (team: MockTeam) => boolean) {
  const needle = query.search?.toLowerCase() ?? ''
  const key = SORTS[query.sortBy]
  const sign = query.sortOrder === 'asc' ? 1 : -1
  const all = [...world.teams.values()]
    .filter((team) => isWanted(team) && `${team.name} ${team.email}`.toLowerCase().includes(needle))
    .map((team) => standingOf(world, team))
    .sort((left, right) => (key(left) < key(right) ? -sign : key(left) > key(right) ? sign : 0))
  const users = all.slice(query.offset, query.offset + query.limit).map(rowOf)
  return goodAdminUsers({ total: all.length, users })
}

const list = on(listTeams, ({ world, query }) => pageOf(world, query, () => true))

const filter = on(filterTeams, ({ world, query, body }) =>
  pageOf(world, query, (team) => passes(body.status, statusOf(team)) && passes(body.division, team.division)),
)

const read = on(readTeam, ({ world, params }) => {
  const team = world.teams.get(params.id)
  if (!team) return badUnknownUser()
  const standing = standingOf(world, team)
  const solves = standing.solves.map(({ challengeId, createdAt }) => ({
    challengeId,
    challengeName: world.challenges.get(challengeId)?.name ?? '',
    challengeCategory: world.challenges.get(challengeId)?.category ?? '',
    createdAt: new Date(createdAt).toISOString(),
  }))
  return goodAdminUser({ ...rowOf(standing), solves })
})

const update = on(updateTeam, ({ world, params, body: { data } }) => {
  const team = world.teams.get(params.id)
  if (!team) return badUnknownUser()
  if (team.perms > 0) return badUserPrivileged()
  if (data.name !== undefined && isTaken(world, data.name, team.id)) return badKnownName()
  changeTeam(world, team, Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined)))
  return goodAdminUserUpdate()
})

const remove = on(deleteTeam, ({ world, params }) => {
  const team = world.teams.get(params.id)
  if (!team) return badUnknownUser()
  if (team.perms > 0) return badUserPrivileged()
  world.teams.delete(team.id)
  removeSolves(world, ({ teamId }) => teamId === team.id)
  return goodAdminUserDelete()
})

const create = on(createTeam, ({ world, body: { data } }) => {
  if (isTaken(world, data.name)) return badKnownName()
  const { id } = addTeam(world, data)
  return goodAdminUserCreate({ id, token: tokenOf(id) })
})

const token = on(createTeamToken, ({ world, params }) => {
  const team = world.teams.get(params.id)
  if (!team) return badUnknownUser()
  return team.perms > 0 ? badUserPrivileged() : goodCreateUserToken({ token: tokenOf(team.id) })
})

const signOut = on(signOutTeam, ({ world, params }) => {
  const team = world.teams.get(params.id)
  if (!team) return badUnknownUser()
  return team.perms > 0 ? badUserPrivileged() : goodAdminUserSignOut()
})

const removeAllSolves = on(deleteTeamSolves, ({ world, params }) => {
  for (const scores of world.feeds.values()) scores.delete(params.userId)
  removeSolves(world, ({ teamId }) => teamId === params.userId)
  return goodAllChallengeSolvesDelete()
})

const organisers = on(listOrganisers, ({ world }) => {
  const all = [...world.teams.values()].filter(({ perms }) => perms > 0)
  return goodOrganisers({
    organisers: all.map(({ id, name, email, avatarUrl, perms }) => ({ id, name, email, avatarUrl, perms })),
  })
})

const setPermissions = on(setOrganiser, ({ world, params, body: { data } }) => {
  const team = world.teams.get(params.id)
  if (!team) return badUnknownUser()
  const owners = [...world.teams.values()].filter(({ perms }) => perms === ALL_PERMISSIONS)
  if (data.perms !== ALL_PERMISSIONS && owners.every(({ id }) => id === team.id)) return badLastOwner()
  if (data.perms === team.perms) return goodOrganiserUpdate({ token: null })
  changeTeam(world, team, { perms: data.perms })
  return goodOrganiserUpdate({ token: tokenOf(team.id) })
})

const avatar = on(updateTeamAvatar, ({ world, params }) => {
  const team = world.teams.get(params.id)
  if (!team) return badUnknownUser()
  if (team.perms > 0) return badUserPrivileged()
  changeTeam(world, team, { avatarUrl: null })
  return goodAvatarUpdated({ url: null })
})

const waiting = on(listVerifications, ({ world }) =>
  goodAdminUserVerifications({ verifications: [...world.verifications] }),
)

const complete = on(completeVerification, ({ world, params }) => {
  const index = world.verifications.findIndex(({ id }) => id === params.id)
  const found = world.verifications[index]
  if (!found) return badUnknownVerification()
  const teams = [...world.teams.values()]
  if (isTaken(world, found.name)) return badKnownName()
  if (teams.some(({ email }) => email === found.email)) return badKnownEmail()
  world.verifications.splice(index, 1)
  return goodAdminUserVerificationComplete({ userId: addTeam(world, found).id })
})

const resend = on(resendVerification, ({ world, params }) =>
  world.verifications.some(({ id }) => id === params.id)
    ? goodAdminUserVerificationResend({ id: params.id })
    : badUnknownVerification(),
)

export const adminTeamEndpoints = [
  list,
  filter,
  create,
  read,
  update,
  remove,
  token,
  signOut,
  removeAllSolves,
  organisers,
  setPermissions,
  avatar,
  waiting,
  complete,
  resend,
]
