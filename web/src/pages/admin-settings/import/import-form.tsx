import { contestImportLimits } from '@pennant/contract/contest-import.ts'
import { contestImportMessages } from '../../../text/en/contest-import.ts'
import { useMessages } from '../../../text/messages.ts'
import { Radio, Switch } from '../../../ui/fields/choices.tsx'
import { DateTime } from '../../../ui/fields/date-time.tsx'
import { Select, Textarea, TextInput } from '../../../ui/fields/inputs.tsx'
import { FileDrop } from '../../../ui/upload/file-drop.tsx'
import type { ImportDraft } from './draft.ts'
import styles from './import.module.css'

interface ImportFormProps {
  readonly draft: ImportDraft
  readonly file: File | null
  readonly maxBytes: number
  readonly onChange: (change: Partial<ImportDraft>) => void
  readonly onFile: (file: File) => void
}

/** What is to be imported, and how. */
export function ImportForm({ draft, file, maxBytes, onChange, onFile }: ImportFormProps) {
  const text = useMessages(contestImportMessages)
  const isCtfd = draft.source === 'ctfd'
  return (
    <>
      <Radio
        label={text.source}
        value={draft.source}
        onChange={(source) => onChange({ source: source as ImportDraft['source'] })}
        choices={choicesOf(text.sources)}
      />
      <FileDrop
        label={text.file}
        maxSize={maxBytes}
        {...(isCtfd ? { accept: '.zip,application/zip' } : {})}
        onFiles={([first]) => first && onFile(first)}
      />
      {file && (
        <p role="status">
          {text.chosen}: <bdi>{file.name}</bdi>
        </p>
      )}
      <details>
        <summary>{text.options}</summary>
        <div className={styles.options}>
          <Textarea
            label={text.divisions}
            help={text.divisionsHelp}
            rows={3}
            mono
            maxLength={contestImportLimits.divisions}
            value={draft.divisions}
            onChange={(divisions) => onChange({ divisions })}
          />
          {isCtfd ? (
            <CtfdOptions draft={draft} onChange={onChange} />
          ) : (
            <RctfOptions draft={draft} onChange={onChange} />
          )}
        </div>
      </details>
    </>
  )
}

function RctfOptions({ draft, onChange }: Pick<ImportFormProps, 'draft' | 'onChange'>) {
  const text = useMessages(contestImportMessages)
  const { token, configuration } = draft
  return (
    <>
      <TextInput
        label={text.token}
        help={text.tokenHelp}
        mono
        autoComplete="off"
        maxLength={contestImportLimits.token}
        value={token}
        onChange={(changed) => onChange({ token: changed })}
      />
      <div>
        <p>{text.configurationAbout}</p>
        <FileDrop
          label={text.configurationFiles}
          multiple
          maxSize={contestImportLimits.configurationBytes}
          accept=".yaml,.yml,.json"
          onFiles={(files) => onChange({ configuration: files })}
        />
        {configuration.length > 0 && (
          <p role="status">
            {text.chosen}: <bdi>{configuration.map(({ name }) => name).join(', ')}</bdi>
          </p>
        )}
      </div>
    </>
  )
}

function CtfdOptions({ draft, onChange }: Pick<ImportFormProps, 'draft' | 'onChange'>) {
  const text = useMessages(contestImportMessages)
  const selects = [
    { name: 'hidden', label: text.hidden, choices: text.hiddenChoices },
    { name: 'awards', label: text.awards, choices: text.awardsChoices },
    { name: 'scoring', label: text.scoring, choices: text.scoringChoices },
    { name: 'locked', label: text.locked, choices: text.lockedChoices },
  ] as const
  return (
    <>
      <DateTime
        label={text.end}
        help={text.endHelp}
        value={draft.end}
        onChange={(end) => onChange({ end })}
      />
      {selects.map(({ name, label, choices }) => (
        <Select
          key={name}
          label={label}
          value={draft[name]}
          choices={choicesOf(choices)}
          onChange={(value) => onChange({ [name]: value })}
        />
      ))}
      <Switch
        kind="checkbox"
        label={text.admins}
        checked={draft.admins}
        onChange={(admins) => onChange({ admins })}
      />
    </>
  )
}

function choicesOf(labels: Readonly<Record<string, string>>) {
  return Object.entries(labels).map(([value, label]) => ({ value, label }))
}
