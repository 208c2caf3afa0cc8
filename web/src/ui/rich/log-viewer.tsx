import { useMemo, useState } from 'react'
import { VirtualList } from '../board/virtual-list.tsx'
import { Button } from '../buttons/button.tsx'
import { CopyButton } from '../buttons/copy-button.tsx'
import { Switch } from '../fields/choices.tsx'
import { TextInput } from '../fields/inputs.tsx'
import { useWords } from '../words.ts'
import { filterLog, parseLog, type LogLine } from './log-lines.ts'
import styles from './log.module.css'

const ROW_PX = 24
/** Wrapped rows differ in height, so all are in the page: no more than these. */
const MOST_WRAPPED = 2000

interface LogViewerProps {
  /** NDJSON. */
  readonly log: string
  /** Of the file that is saved. */
  readonly fileName: string
}

/** A log as rows, with levels and search; copied and saved whole, as it came. */
export function LogViewer({ log, fileName }: LogViewerProps) {
  const words = useWords()
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
      <div className={styles.bar} role="group" aria-label={words.level}>
        {known.map((level) => (
          <Button key={level} aria-pressed={levels.has(level)} onClick={() => toggle(level)}>
            {level}
          </Button>
        ))}
      </div>
      <TextInput type="search" label={words.search} value={typed} onChange={setTyped} />
      <div className={styles.bar}>
        <Switch label={words.wrap} checked={wrap} onChange={setWrap} />
        <CopyButton text={log} />
        <Button icon="download" onClick={() => save(log, fileName)}>
          {words.download}
        </Button>
      </div>
      {shown.length === 0 && <p role="status">{words.noLines}</p>}
      {wrap ? (
        <div className={styles.wrapped} tabIndex={0} role="region" aria-label={words.logRows}>
          {shown.slice(0, MOST_WRAPPED).map((line, at) => (
            <Row key={at} line={line} />
          ))}
        </div>
      ) : (
        <VirtualList
          label={words.logRows}
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
      {line.time && <span className={styles.muted}>{line.time}</span>}
      {line.level && <span className={styles.level}>{line.level}</span>}
      {line.prefix && <span className={styles.muted}>{line.prefix}</span>}
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
