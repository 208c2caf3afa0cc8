import { useEffect, useState } from 'react'
import { useRouteError } from 'react-router'
import { frameMessages } from '../../text/en/frame.ts'
import { useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { EmptyState } from '../../ui/states/messages.tsx'
import { Panel } from '../../ui/states/panel.tsx'
import styles from '../layout.module.css'
import { isChunkLost, takeNewVersion } from '../new-version.ts'
import { PageWaiting } from './page-waiting.tsx'
import { StatusNote } from '../status-link.tsx'

/** Shown when a page threw or its code failed to load. */
export function RouteError() {
  const text = useMessages(frameMessages)
  const error = useRouteError()
  const isLost = isChunkLost(error)
  const [isTaken, setTaken] = useState(isLost)
  useEffect(() => {
    if (isLost) setTaken(takeNewVersion())
    else console.error(error)
  }, [error, isLost])
  if (isTaken) return <PageWaiting />
  return (
    <div className={styles.page}>
      <h1>{text.brokenTitle}</h1>
      <Panel>
        <EmptyState action={<Button onClick={() => location.reload()}>{text.reload}</Button>}>
          {isLost ? text.chunkFailed : text.broken} <StatusNote />
        </EmptyState>
      </Panel>
    </div>
  )
}
