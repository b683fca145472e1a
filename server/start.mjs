// `npm start`, `npm run user`, `npm run import` ...: builds what is missing, then becomes the program.
/** The program of each command. */
const COMMANDS = {
  user: 'user',
  import: 'import',
  audit: 'audit',
  'rotate-key': 'rotateKey',
  backup: 'backup',
  restore: 'restore',
  move: 'move',
  ready: 'ready',
};

function refuse(message) {
  console.error(message);
  process.exit(1);
}

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) refuse(`需要 Node 20.19 或更新版本，现在是 ${process.versions.node}`);

const command = process.argv[2];
if (command !== undefined && !Object.hasOwn(COMMANDS, command))
  refuse(`没有 ${command} 这个命令，可选 ${Object.keys(COMMANDS).join('、')}`);

try {
  const { buildMissing } = await import('./build.mjs');
  buildMissing(command === undefined ? ['server', 'console'] : ['server']);
} catch (error) {
  refuse(error.message);
}

if (command !== undefined) process.argv.splice(2, 1);
await import(new URL(`../dist/server/${command === undefined ? 'main' : COMMANDS[command]}.js`, import.meta.url));
