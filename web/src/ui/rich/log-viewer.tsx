import { useMemo, useState } from 'react'
import { VirtualList } from '../board/virtual-list.tsx'
import { Button } from '../buttons/button.tsx'
import { CopyButton } from '../buttons/copy-button.tsx'
import { Switch } from '../fields/choices.tsx'
import { TextInput } from '../fields/inputs.tsx'
import { useUiMessages } from '../ui-messages.ts'
import { filterLog, parseLog, type LogLine } from './log-lines.ts'
import styles from './log.module.css'

const ROW_PX = 24
/** Wrapped rows differ in height, so they cannot be virtualized; this limits their number. */
const MAX_WRAPPED = 2000

interface LogViewerProps {
  /** NDJSON. */
  readonly log: string
  /** File name for the download. */
  readonly fileName: string
}

/** A log as rows, with filters for level and text; copied and downloaded in full, unmodified. */
export function LogViewer({ log, fileName }: LogViewerProps) {
  const messages = useUiMessages()
  const [typed, setTyped] = useState('')
  const [levels, setLevels] = useState<ReadonlySet<string>>(new Set())
  const [wrap, setWrap] = useState(false)
  const lines = useMemo(() => parseLog(log), [log])
  const known = useMemo(() => Array.from(new Set(lines.map(({ level }) => level).filter(Boolean))), [lines])
  const shown = useMemo(() => filterLog(lines, levels, typed), [lines, levels, typed])
  const toggle = (level: string) => {
    const next = new Set(levels)
    if (!next.delete(level)) next.add(level)
    setLevels(next)
  }
  return (
    <div className={styles.viewer}>
      <div className={styles.bar} role="group" aria-label={messages.level}>
        {known.map((level) => (
          <Button key={level} aria-pressed={levels.has(level)} onClick={() => toggle(level)}>
            {level}
          </Button>
        ))}
      </div>
      <TextInput type="search" label={messages.search} value={typed} onChange={setTyped} />
      <div className={styles.bar}>
        <Switch label={messages.wrap} checked={wrap} onChange={setWrap} />
        <CopyButton text={log} />
        <Button icon="download" onClick={() => save(log, fileName)}>
          {messages.download}
        </Button>
      </div>
      {shown.length === 0 && <p role="status">{messages.noLines}</p>}
      {wrap ? (
        <div className={styles.wrapped} tabIndex={0} role="region" aria-label={messages.logRows}>
          {shown.slice(0, MAX_WRAPPED).map((line, at) => (
            <Row key={at} line={line} />
          ))}
        </div>
      ) : (
        <VirtualList
          label={messages.logRows}
          count={shown.length}
          rowHeight={ROW_PX}
          height="24rem"
          renderRow={(row) => shown[row] && <Row line={shown[row]} />}
        />
      )}
    </div>
  )
}

function Row({ line }: { readonly line: LogLine }) {
  return (
    <div className={styles.line} dir="ltr" data-level={line.level}>
      {line.time && <span className="pn-muted">{line.time}</span>}
      {line.level && <span className={styles.level}>{line.level}</span>}
      {line.prefix && <span className="pn-muted">{line.prefix}</span>}
      <span>{line.text}</span>
    </div>
  )
}

function save(text: string, name: string) {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/x-ndjson' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
