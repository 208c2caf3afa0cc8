import { Link } from 'react-router'
import { useConfig } from '../../api/use-contest.ts'
import { paths } from '../../paths.ts'
import { tracksMessages } from '../../text/en/tracks.ts'
import { useFormat, useMessages } from '../../text/messages.ts'

interface TrackLineProps {
  readonly track: string
  readonly place: number | null
  readonly agent: { readonly operator: string; readonly model: string } | undefined
}

/** The track of a team in its profile, with its rank there and its agent. */
export function TrackLine({ track, place, agent }: TrackLineProps) {
  const text = useMessages(tracksMessages)
  const format = useFormat()
  const label = useConfig()?.tracks?.list.find(({ id }) => id === track)?.label ?? track
  return (
    <p className="pn-flat">
      <Link to={paths.tracks()}>
        <bdi>{place === null ? text.trackOf(label) : text.trackPlace(format.number(place), label)}</bdi>
      </Link>
      {agent && (
        <>
          {' · '}
          <bdi>{text.agentOf(agent.operator, agent.model)}</bdi>
        </>
      )}
    </p>
  )
}
