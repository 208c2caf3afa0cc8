import { useEffect, useState } from 'react'
import { useRouteError } from 'react-router'
import { useText } from '../text/catalogue.ts'
import { frameCatalogue } from '../text/frame.ts'
import { Button } from '../ui/buttons/button.tsx'
import { EmptyState } from '../ui/states/messages.tsx'
import { Panel } from '../ui/states/panel.tsx'
import styles from './layout.module.css'
import { isChunkLost, takeNewVersion } from './new-version.ts'
import { PageWaiting } from './page-waiting.tsx'

/** A page that threw, or whose code did not come. */
export function RouteError() {
  const text = useText(frameCatalogue)
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
          {isLost ? text.chunkLost : text.broken}
        </EmptyState>
      </Panel>
    </div>
  )
}
