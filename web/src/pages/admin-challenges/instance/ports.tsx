import { adminChallengesMessages } from '../../../text/en/admin-challenges.ts'
import { useMessages } from '../../../text/messages.ts'
import { Button, IconButton } from '../../../ui/buttons/button.tsx'
import { Switch } from '../../../ui/fields/choices.tsx'
import { Writing } from '../../../ui/fields/field.tsx'
import { FieldGroup } from '../../../ui/fields/field-group.tsx'
import { NumberInput, Select, TextInput } from '../../../ui/fields/inputs.tsx'
import type { AdminChallenge } from '../draft.ts'
import styles from './ports.module.css'

type Port = NonNullable<AdminChallenge['instancerConfig']>['expose'][number]

const KINDS = ['tcp', 'udp', 'tcp-ssl', 'http', 'https'] as const
/** Limit of the API. */
const MAX_PORTS = 100

interface PortsProps {
  readonly ports: readonly Port[]
  readonly onChange: (ports: Port[]) => void
}

/** The ports of an instance that are reachable from outside, one row each. */
export function Ports({ ports, onChange }: PortsProps) {
  const text = useMessages(adminChallengesMessages)
  const add = () =>
    onChange([
      ...ports,
      { kind: 'http', hostPrefix: 'web', containerName: '', containerPort: 80, shouldDisplay: true },
    ])
  return (
    <FieldGroup title={text.instance.ports}>
      {ports.map((port, at) => (
        <PortRow
          key={at}
          port={port}
          onChange={(next) => onChange(ports.with(at, next))}
          onRemove={() => onChange(ports.toSpliced(at, 1))}
        />
      ))}
      <Writing>
        <div>
          <Button
            icon="plus"
            disabledBecause={ports.length >= MAX_PORTS ? text.instance.tooManyPorts(MAX_PORTS) : undefined}
            onClick={add}
          >
            {text.instance.addPort}
          </Button>
        </div>
      </Writing>
    </FieldGroup>
  )
}

interface PortRowProps {
  readonly port: Port
  readonly onChange: (port: Port) => void
  readonly onRemove: () => void
}

function PortRow({ port, onChange, onRemove }: PortRowProps) {
  const text = useMessages(adminChallengesMessages)
  const { title: _, ...untitled } = port
  return (
    <div className={styles.port}>
      <Select
        label={text.instance.kind}
        value={port.kind}
        choices={KINDS.map((value) => ({ value, label: value }))}
        onChange={(kind) => onChange({ ...port, kind: KINDS.find((known) => known === kind) ?? 'tcp' })}
      />
      <TextInput
        mono
        label={text.instance.container}
        value={port.containerName}
        onChange={(containerName) => onChange({ ...port, containerName })}
      />
      <NumberInput
        label={text.instance.port}
        min={1}
        max={65535}
        value={port.containerPort}
        onChange={(containerPort) => onChange({ ...port, containerPort: containerPort ?? 0 })}
      />
      <TextInput
        mono
        label={text.instance.prefix}
        maxLength={63}
        value={port.hostPrefix}
        onChange={(hostPrefix) => onChange({ ...port, hostPrefix })}
      />
      <TextInput
        label={text.instance.portTitle}
        value={port.title ?? ''}
        onChange={(title) => onChange(title === '' ? untitled : { ...port, title })}
      />
      <Switch
        label={text.instance.shown}
        checked={port.shouldDisplay ?? true}
        onChange={(shouldDisplay) => onChange({ ...port, shouldDisplay })}
      />
      <Writing>
        <IconButton
          icon="trash"
          label={text.instance.removePort(`${port.containerName} ${port.containerPort}`)}
          onClick={onRemove}
        />
      </Writing>
    </div>
  )
}
