import { markAssisted, readOwnTrack, declareTrack, type Track } from '@pennant/contract/tracks.ts'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { Link } from 'react-router'
import type { z } from 'zod'
import { FailureLine } from '../../account/failure-line.tsx'
import { useAction } from '../../account/use-action.ts'
import { requestData, send } from '../../api/client.ts'
import { challengesQuery, OWN_KEY } from '../../api/queries.ts'
import { useConfig, useOwnTeam } from '../../api/use-contest.ts'
import { usePageTitle } from '../../layout/title.ts'
import { paths } from '../../paths.ts'
import { useTimed } from '../../state/clock.ts'
import { frameMessages } from '../../text/en/frame.ts'
import { tracksMessages } from '../../text/en/tracks.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { declarationBody, type Declaration } from '../../account/tracks/declaration.ts'
import { TrackFields } from '../../account/tracks/track-fields.tsx'
import { Button } from '../../ui/buttons/button.tsx'
import { useSuccess } from '../../ui/buttons/use-success.ts'
import { Switch } from '../../ui/fields/choices.tsx'
import { EmptyState } from '../../ui/states/messages.tsx'
import { Panel } from '../../ui/states/panel.tsx'

type PublicTrack = z.output<typeof Track>

const ownTrackQuery = queryOptions({
  queryKey: [OWN_KEY, 'track'],
  queryFn: ({ signal }) => requestData(readOwnTrack, {}, { signal }),
})

type OwnTrack = Awaited<ReturnType<typeof requestData<typeof readOwnTrack>>>

const FACTS = ['isRanked', 'affectsPoints', 'takesBloods', 'getsPrizes', 'mayRegister', 'namesAgent'] as const

/** What the event says about AI: its tracks with their policies, and the one of the own team. */
export function Component() {
  const text = useMessages(tracksMessages)
  const frame = useMessages(frameMessages)
  usePageTitle(text.title)
  const config = useConfig()
  const { team } = useOwnTeam()
  if (!config) return null
  const tracks = config.tracks?.list
  return (
    <div className="pn-stack pn-gap-5">
      <h1 className="pn-flat">{text.title}</h1>
      {!tracks && <EmptyState action={<Link to={paths.home()}>{frame.home}</Link>}>{text.none}</EmptyState>}
      {tracks && <p className="pn-flat">{text.about}</p>}
      {tracks?.map((track, at) => (
        <TrackPanel key={track.id} track={track} isFirst={at === 0} />
      ))}
      {tracks && team && <OwnTrackPanel />}
    </div>
  )
}

function TrackPanel({ track, isFirst }: { readonly track: PublicTrack; readonly isFirst: boolean }) {
  const text = useMessages(tracksMessages)
  const facts = FACTS.map((name) => text.facts[name][track[name] ? 'yes' : 'no']).filter(Boolean)
  return (
    <Panel title={<bdi>{track.label}</bdi>}>
      <div className="pn-stack pn-gap-3">
        {track.policy !== '' && (
          <p className="pn-flat">
            <bdi>{track.policy}</bdi>
          </p>
        )}
        <ul className="pn-flat">
          {isFirst && <li>{text.first}</li>}
          {facts.map((fact) => (
            <li key={fact}>{fact}</li>
          ))}
        </ul>
      </div>
    </Panel>
  )
}

function OwnTrackPanel() {
  const text = useMessages(tracksMessages)
  const own = useQuery(ownTrackQuery).data
  if (!own) return null
  return (
    <>
      <Panel title={text.ofTeam}>
        <DeclareForm key={`${own.track} ${own.declared}`} own={own} />
      </Panel>
      <AssistedPanel own={own} />
    </>
  )
}

function DeclareForm({ own }: { readonly own: OwnTrack }) {
  const text = useMessages(tracksMessages)
  const format = useFormat()
  const config = useConfig()
  const queries = useQueryClient()
  const action = useAction('change', text.failures)
  const declared = useSuccess(text.declared)
  const [value, setValue] = useState<Declaration>({
    track: own.track,
    operator: own.agent?.operator ?? '',
    model: own.agent?.model ?? '',
  })
  const { list = [], lockAt = 0 } = config?.tracks ?? {}
  const isFree = useTimed((now) => now < lockAt)
  const chosen = list.find(({ id }) => id === value.track)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!chosen) return
    const body = declarationBody(value, chosen)
    const response = await action.run(
      () => send(declareTrack, { body }),
      () => queries.invalidateQueries({ queryKey: [OWN_KEY] }),
    )
    if (response) declared.show()
  }
  return (
    <form className="pn-stack pn-gap-3" onSubmit={(event) => void submit(event)}>
      {own.trackPlace !== null && (
        <p className="pn-flat">{text.ranked(format.number(own.trackPlace), format.number(own.teams))}</p>
      )}
      <p className="pn-flat">
        {own.choices.length < 2 ? text.noChoice : isFree ? text.free(format.dateTime(lockAt)) : text.locked}
      </p>
      <TrackFields value={value} onChange={setValue} choices={[...new Set([own.track, ...own.choices])]} />
      <FailureLine>{action.failure}</FailureLine>
      <div>
        <Button tone="primary" type="submit" busy={action.isPending} success={declared}>
          {text.declare}
        </Button>
      </div>
    </form>
  )
}

/** The solves of the own team, each with its mark. */
function AssistedPanel({ own }: { readonly own: OwnTrack }) {
  const text = useMessages(tracksMessages)
  const { team } = useOwnTeam()
  const challenges = useQuery(challengesQuery()).data
  const queries = useQueryClient()
  const action = useAction('change', text.failures)
  const solves = (team?.solves ?? []).flatMap(({ id }) => challenges?.find((each) => each.id === id) ?? [])
  if (solves.length === 0) return null
  const mark = (id: string, assisted: boolean) =>
    void action.run(
      () => send(markAssisted, { params: { id }, body: { assisted } }),
      () => queries.invalidateQueries({ queryKey: ownTrackQuery.queryKey }),
    )
  return (
    <Panel title={text.solves}>
      <div className="pn-stack pn-gap-3">
        <p className="pn-flat">{text.solvesAbout}</p>
        {solves.map(({ id, name }) => (
          <Switch
            key={id}
            kind="checkbox"
            label={name}
            checked={own.assisted.includes(id)}
            disabled={action.isPending}
            onChange={(assisted) => mark(id, assisted)}
          />
        ))}
        <FailureLine>{action.failure}</FailureLine>
      </div>
    </Panel>
  )
}
