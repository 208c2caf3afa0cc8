import { useState } from 'react'
import { Button } from '../ui/buttons/button.tsx'
import { CopyButton } from '../ui/buttons/copy-button.tsx'
import styles from './account.module.css'
import { FailureLine } from './failure-line.tsx'
import type { QrPath } from './qr-path.ts'

interface LinkToolsProps {
  readonly link: string
  readonly text: Readonly<Record<'copy' | 'showQr' | 'hideQr' | 'qrFailed' | 'qrAlternative', string>>
}

/** Copies a link, and shows it as a QR code for phones. */
export function LinkTools({ link, text }: LinkToolsProps) {
  const [code, setCode] = useState<QrPath | null>(null)
  const [isFailed, setFailed] = useState(false)
  const show = async () => {
    try {
      const { qrPath } = await import('./qr-path.ts')
      setCode(qrPath(link))
      setFailed(false)
    } catch {
      setFailed(true)
    }
  }
  return (
    <>
      <div className={styles.actions}>
        <CopyButton text={link}>{text.copy}</CopyButton>
        <Button icon={code ? 'eyeOff' : 'eye'} onClick={() => (code ? setCode(null) : void show())}>
          {code ? text.hideQr : text.showQr}
        </Button>
      </div>
      <FailureLine>{isFailed ? text.qrFailed : undefined}</FailureLine>
      {code && (
        <svg
          role="img"
          aria-label={text.qrAlternative}
          viewBox={`0 0 ${code.size} ${code.size}`}
          className={styles.qr}
          shapeRendering="crispEdges"
        >
          {/* Dark on light in both themes: many scanners do not read inverted codes. */}
          <rect width={code.size} height={code.size} className={styles.qrLight} />
          <path d={code.path} className={styles.qrDark} />
        </svg>
      )}
    </>
  )
}
