import { useConfig } from '../api/use-contest.ts'
import { useText } from '../text/catalogue.ts'
import { frameCatalogue } from '../text/frame.ts'
import styles from './layout.module.css'
import { Mark } from './logo.tsx'

export function Footer() {
  const text = useText(frameCatalogue)
  const config = useConfig()
  return (
    <footer className={styles.footer}>
      <span>{config?.ctfName}</span>
      <span className={styles.powered}>
        <Mark size={20} />
        {text.poweredBy}
      </span>
    </footer>
  )
}
