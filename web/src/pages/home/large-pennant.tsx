import styles from './home.module.css'

const CLOTH =
  'M52 118C150 78 236 96 336 156S520 222 606 240C650 250 690 262 708 278C690 288 640 298 588 308C500 326 436 404 336 412S150 418 52 470Z'
/** Folds of the cloth from the pole to its tip: position and colour. */
const FOLDS = [
  [0, 'var(--pn-flag-2)'],
  [0.14, 'var(--pn-flag)'],
  [0.3, 'color-mix(in srgb, var(--pn-flag) 84%, #fff)'],
  [0.47, 'var(--pn-flag-2)'],
  [0.6, 'color-mix(in srgb, var(--pn-flag-2) 84%, #501400)'],
  [0.78, 'var(--pn-flag)'],
  [1, 'color-mix(in srgb, var(--pn-flag) 82%, #fff)'],
] as const

/** The product's flag on its pole, with the score line cut out. Decoration. */
export function LargePennant() {
  return (
    <svg className={styles.large} aria-hidden="true" viewBox="0 0 720 620" fill="none">
      <defs>
        <linearGradient id="pn-folds" x1="0" x2="1" y1="0" y2=".1">
          {FOLDS.map(([offset, colour]) => (
            <stop key={offset} offset={offset} stopColor={colour} />
          ))}
        </linearGradient>
        <linearGradient id="pn-pole" x1="0" x2="1">
          <stop offset="0" stopColor="var(--pn-border)" />
          <stop offset=".35" stopColor="#fff" />
          <stop offset="1" stopColor="var(--pn-border)" />
        </linearGradient>
        <clipPath id="pn-cloth">
          <path d={CLOTH} />
        </clipPath>
      </defs>
      <rect x="24" y="14" width="14" height="620" rx="7" fill="url(#pn-pole)" />
      <circle cx="31" cy="16" r="13" fill="var(--pn-flag)" />
      <path d="M38 134h15M38 454h15" stroke="var(--pn-border)" strokeWidth="5" strokeLinecap="round" />
      <g clipPath="url(#pn-cloth)">
        <path d="M40 60h680v440H40Z" fill="url(#pn-folds)" />
        <path
          d="M40 384h86v-42h78v-38h92v-32h88v-24h96v-16"
          stroke="var(--pn-bg)"
          strokeWidth="14"
          strokeLinejoin="round"
          strokeLinecap="round"
        />
      </g>
    </svg>
  )
}
