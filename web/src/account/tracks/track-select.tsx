import { useConfig } from '../../api/use-contest.ts'
import { tracksMessages } from '../../text/en/tracks.ts'
import { useMessages } from '../../text/messages.ts'
import { Select } from '../../ui/fields/inputs.tsx'

interface TrackSelectProps {
  /** As in the `track` parameter; empty for the main standings. */
  readonly value: string
  readonly onChange: (track: string) => void
}

/** Which standings are shown: the main ones, all teams, one track, or all but one. */
export function TrackSelect({ value, onChange }: TrackSelectProps) {
  const text = useMessages(tracksMessages)
  const tracks = useConfig()?.tracks?.list ?? []
  const without = tracks.map(({ id, label }) => ({
    value: tracks.flatMap((other) => (other.id === id ? [] : other.id)).join(),
    label: text.without(label),
  }))
  const choices = [
    { value: 'all', label: text.everyTrack },
    ...tracks.map(({ id, label }) => ({ value: id, label })),
    // With two tracks, one of them is all but the other.
    ...(tracks.length > 2 ? without : []),
  ]
  return (
    <Select
      label={text.track}
      placeholder={text.allTracks}
      value={value}
      onChange={onChange}
      choices={choices}
    />
  )
}
