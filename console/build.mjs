// Bundles src/ into dist/ (node build.mjs [DIR]). Names carry a hash of the content, so that a browser may keep the files
// for ever; index.html alone is asked for again. The same sources give the same bytes.
import { build } from 'esbuild'
import fs from 'node:fs'
import path from 'node:path'
import zlib from 'node:zlib'
import { fileURLToPath } from 'node:url'

const here = path.dirname(fileURLToPath(import.meta.url))
const dist = path.resolve(process.argv[2] ?? path.join(here, 'dist'))

fs.rmSync(dist, { recursive: true, force: true })
fs.cpSync(path.join(here, 'public'), dist, { recursive: true })

const { metafile } = await build({
  absWorkingDir: here,
  entryPoints: { app: 'src/main.tsx', style: 'src/style/all.css' },
  entryNames: '[name]-[hash]',
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none',
  outdir: dist,
  metafile: true,
})

const names = Object.keys(metafile.outputs).map(file => path.basename(file))
const named = (stem, end) => names.find(name => name.startsWith(stem + '-') && name.endsWith(end))
const page = path.join(dist, 'index.html')
fs.writeFileSync(page, fs.readFileSync(page, 'utf8').replace('app.js', named('app', '.js')).replace('style.css', named('style', '.css')))

const gzipped = fs.readdirSync(dist).reduce((sum, name) => sum + zlib.gzipSync(fs.readFileSync(path.join(dist, name)), { level: 9 }).length, 0)
console.log(`console: ${(gzipped / 1000).toFixed(1)} kB gzipped in ${dist}`)
