import {
  extendInstance,
  readInstance,
  startInstance,
  stopInstance,
  type InstanceState,
} from '@pennant/contract/instances.ts'
import { z } from 'zod'
import { ChallengeRef, findChallenge, inline } from './challenges.ts'
import { refusal, type AnyResult } from './refusal.ts'
import { tool, type Outcome, type PlaySite } from './tool.ts'

type State = z.output<typeof InstanceState>

interface Act {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly isRead: boolean
  readonly send: (site: PlaySite, id: string) => Promise<AnyResult & { readonly data?: unknown }>
}

function instanceTool({ name, title, description, isRead, send }: Act) {
  return tool({
    name,
    title,
    description,
    isRead,
    input: z.object({ challenge: ChallengeRef }),
    async run(site, { challenge: wanted }) {
      const found = await findChallenge(site, wanted)
      if ('refused' in found) return found.refused
      const result = await send(site, found.challenge.id)
      return result.kind === 'goodInstanceStatus' ? described(result.data as State) : refusal(result)
    },
  })
}

function described(state: State): Outcome {
  const { status, timeLeftMilliseconds, endpoints, queuePosition } = state
  const lines = [
    `The instance is ${status}.`,
    ...(queuePosition === undefined ? [] : [`It waits for ${queuePosition - 1} others.`]),
    ...(timeLeftMilliseconds === null
      ? []
      : [`It has ${Math.floor(timeLeftMilliseconds / 1000)} seconds left.`]),
    ...endpoints.map(
      ({ kind, host, port, title }) =>
        `${title === undefined ? '' : `${inline(title)}: `}${address(kind, host, port)}`,
    ),
  ]
  return { parts: [lines.join('\n')], data: { instance: state } }
}

function address(kind: string, host: string, port: number): string {
  if (kind === 'http' || kind === 'https') return `${kind}://${host}:${port}/`
  return `${kind} ${host} ${port}`
}

export const instanceTools = [
  instanceTool({
    name: 'read_instance',
    title: 'Read the instance',
    description:
      "State and addresses of the team's instance of a challenge. After a start, ask every few seconds until it runs.",
    isRead: true,
    send: (site, id) => site.call(readInstance, { params: { id } }),
  }),
  instanceTool({
    name: 'start_instance',
    title: 'Start the instance',
    description: "Starts the team's instance of a challenge. A second start returns the state of the first.",
    isRead: false,
    send: (site, id) => site.call(startInstance, { params: { id }, body: {} }),
  }),
  instanceTool({
    name: 'extend_instance',
    title: 'Extend the instance',
    description: "Gives the team's instance of a challenge its full time again, from now on.",
    isRead: false,
    send: (site, id) => site.call(extendInstance, { params: { id }, body: {} }),
  }),
  instanceTool({
    name: 'stop_instance',
    title: 'Stop the instance',
    description: "Stops the team's instance of a challenge. Stop those that you no longer need.",
    isRead: false,
    send: (site, id) => site.call(stopInstance, { params: { id } }),
  }),
]
