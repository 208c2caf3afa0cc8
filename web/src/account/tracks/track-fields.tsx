import { useConfig } from '../../api/use-contest.ts'
import { tracksMessages } from '../../text/en/tracks.ts'
import { useMessages } from '../../text/messages.ts'
import { Radio } from '../../ui/fields/choices.tsx'
import { TextInput } from '../../ui/fields/inputs.tsx'
import { MAX_AGENT, type Declaration } from './declaration.ts'

interface TrackFieldsProps {
  readonly value: Declaration
  readonly onChange: (value: Declaration) => void
  /** Ids of the tracks to choose from; those that teams may declare by default. */
  readonly choices?: readonly string[]
}

/** A track, and the agent of the team where the track asks for one. */
export function TrackFields({ value, onChange, choices }: TrackFieldsProps) {
  const text = useMessages(tracksMessages)
  const tracks = useConfig()?.tracks?.list ?? []
  const open = tracks.filter(({ id, mayRegister }) => choices?.includes(id) ?? mayRegister)
  const set = (change: Partial<Declaration>) => onChange({ ...value, ...change })
  return (
    <>
      <Radio
        name="track"
        label={text.track}
        value={value.track}
        onChange={(track) => set({ track })}
        choices={open.map(({ id, label, policy }) => ({
          value: id,
          label,
          ...(policy !== '' && { help: <bdi>{policy}</bdi> }),
        }))}
      />
      {tracks.find(({ id }) => id === value.track)?.namesAgent && (
        <>
          <TextInput
            name="operator"
            label={text.operator}
            help={text.operatorHelp}
            required
            maxLength={MAX_AGENT}
            autoComplete="off"
            value={value.operator}
            onChange={(operator) => set({ operator })}
          />
          <TextInput
            name="model"
            label={text.model}
            required
            maxLength={MAX_AGENT}
            autoComplete="off"
            value={value.model}
            onChange={(model) => set({ model })}
          />
        </>
      )}
    </>
  )
}
