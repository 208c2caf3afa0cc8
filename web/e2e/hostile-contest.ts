import { updateSettings } from '@pennant/contract/admin-settings.ts'
import { createExternalAuthClient } from '@pennant/contract/external-auth.ts'
import { botConfig, botSettings } from '../../server/test/bot-contest.ts'
import { putChallenge } from '../../server/test/contest-data.ts'
import { challengeRow } from '../../server/test/contest-rows.ts'
import type { Member } from '../../server/test/harness.ts'
import { putHostileTeams, putHostileWork, renameTeam } from '../../server/test/hostile-rows.ts'
import { answerJson, startHttpService, type HttpService } from '../../server/test/http-service.ts'
import type { Site } from './harness.ts'
import { foreignHost, hostileTexts } from './hostile-texts.ts'

// A contest in which every text that somebody may write is hostile.

export const taskId = (at: number) => `task-${at}`
export const teamId = (at: number) => `10000000-0000-4000-8000-${String(at).padStart(12, '0')}`
/** Runs at once where it is taken for an element. */
export const hostileName = hostileTexts[5] ?? ''
export const ownName = `own ${hostileTexts[6]}`
export const sponsorTexts = hostileTexts.slice(0, 12)
/** As long as the API lets names be. */
export const contestName = (hostileTexts[0] ?? '').slice(0, 60)
export const clientName = hostileName.slice(0, 100)

const KINDS = ['tcp', 'tcp-ssl', 'http', 'https'] as const
const SECRET = 'secret-of-the-loud-instancer'

/** A service of instances that says whatever it is told to. */
export interface LoudInstancer extends HttpService {
  /** Why it refuses; null while it runs what is asked for, at hosts with every hostile name. */
  refusal: string | null
}

export async function startLoudInstancer(): Promise<LoudInstancer> {
  const loud: { refusal: string | null } = { refusal: null }
  const service = await startHttpService((_asked, response) => {
    if (loud.refusal !== null)
      return answerJson(response, 400, { kind: 'instancerError', message: loud.refusal })
    const endpoints = hostileTexts.map((host, at) => ({ kind: KINDS[at % KINDS.length], host, port: 1337 }))
    const details = { status: 'running', timeLeftMilliseconds: 1_800_000, endpoints }
    answerJson(response, 200, { kind: 'instancerInstanceDetails', ...details })
  })
  return Object.assign(loud, {
    url: service.url,
    asked: service.asked,
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  })
}

/** The configuration of such a contest; with an instancer that is loud, where one is given. */
export function hostileConfig(loud?: LoudInstancer): Readonly<Record<string, unknown>> {
  const sponsors = sponsorTexts.map((text) => ({
    name: text,
    icon: `data:image/svg+xml,${encodeURIComponent(text)}`,
    description: text,
    url: `javascript:${text}`,
  }))
  return {
    ...botConfig,
    defaultInstancer: 'here',
    instancers: {
      here: { name: 'instancers/memory', options: { host: hostileName } },
      ...(loud && { loud: { name: 'instancers/http', options: { apiUrl: loud.url, authToken: SECRET } } }),
    },
    sponsors,
    divisions: { open: hostileName, hostile: hostileTexts[0] },
    defaultDivision: 'open',
    meta: { description: hostileTexts[2] },
  }
}

/** A team that has done something everywhere, and an organiser. */
interface Crew {
  readonly own: Member
  readonly admin: Member
}

/** Puts every text into everything that is written. */
export async function fillHostile(site: Site): Promise<Crew> {
  const { contest } = site
  const admin = await contest.admin()
  await addTasks(site)
  await addInstanceTasks(site)
  const teams = hostileTexts.map((text, at) => ({
    id: teamId(at),
    name: text,
    statusText: text,
    avatarUrl: `/uploads/${encodeURIComponent(text)}`,
  }))
  await putHostileTeams(contest.db, teams, taskId(1))
  const own = await contest.team('Own Crew')
  await renameTeam(contest.db, own.id, ownName)
  await putHostileWork(contest.db, { teamId: own.id, challengeId: taskId(0), texts: hostileTexts })
  const data = { ctfName: contestName, homeContent: hostileTexts.join('\n\n') }
  const answer = await contest.call(updateSettings, { token: admin.token, body: { data } })
  if (!answer.kind.startsWith('good')) throw new Error(JSON.stringify(answer))
  return { own, admin }
}

/** A challenge of each text; the first has a bot whose source is hostile as well. */
async function addTasks({ contest }: Site): Promise<void> {
  for (const [at, text] of hostileTexts.entries()) {
    const inputs = { [text]: { pattern: '.' } }
    const fields = {
      name: text,
      description: `${text}\n\n> [!CONNECTION]\n> ${text}\n\n${text}`,
      category: text,
      author: text,
      files: [{ name: text, url: `/uploads/${'a'.repeat(64)}/${encodeURIComponent(text)}`, size: 1 }],
      ...(at === 0 && { adminBotConfig: { ...botSettings, code: hostileTexts.join('\n'), inputs } }),
    }
    await putChallenge(contest.db, challengeRow(taskId(at), fields as never))
  }
  // A pattern that no browser can read is left to the server, which names the input.
  const broken = { ...botSettings, inputs: { [hostileName]: { pattern: '(' } } }
  await putChallenge(contest.db, challengeRow('parrot', { adminBotConfig: broken }))
}

/** `cabin` runs in memory, at places with every title; `siren` in the loud instancer, without titles. */
async function addInstanceTasks({ contest }: Site): Promise<void> {
  const ports = hostileTexts.map((_text, at) => ({
    kind: KINDS[at % KINDS.length],
    hostPrefix: `c${at}`,
    containerName: 'a',
    containerPort: 1,
  }))
  const titled = ports.map((port, at) => ({ ...port, title: hostileTexts[at] }))
  const settings = { challengeIntegrationId: '', config: {}, timeoutMilliseconds: 1_800_000 }
  const tasks = {
    cabin: { ...settings, expose: titled },
    siren: { ...settings, instancer: 'loud', expose: ports },
  }
  for (const [id, instancerConfig] of Object.entries(tasks)) {
    await putChallenge(contest.db, challengeRow(id, { name: hostileName, instancerConfig } as never))
  }
}

/** Where a team is asked to continue to a site whose name is hostile. */
export async function hostileClient({ contest }: Site, token: string): Promise<string> {
  const body = { name: clientName, redirectUri: `https://${foreignHost}/back` }
  const made = await contest.call(createExternalAuthClient, { token, body })
  if (!('data' in made) || made.data === null || !('id' in (made.data as object))) throw new Error(made.kind)
  const { id } = made.data as { readonly id: string }
  const query = new URLSearchParams({
    client_id: id,
    redirect_uri: body.redirectUri,
    state: hostileTexts[0] ?? '',
  })
  return `/external-auth/authorize?${query}`
}
