#!/usr/bin/env node
// Only what every Node understands may stand here: an old one must get as far as the sentence below.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // `postern … | head` closes the pipe early, which is no fault.
  if (error.code === "EPIPE") process.exit(0);
  process.stderr.write(`error The output cannot be written: ${error.code}. [storage_failed]\n`);
  process.exit(2);
});

if (major > 20 || (major === 20 && minor >= 19)) {
  // Not awaited: a server whose input has ended settles nothing more, and that is no fault either.
  void import("./main.js").then(async ({ main }) => {
    process.exitCode = await main(process.argv.slice(2));
  });
} else {
  process.stderr.write(
    `postern needs Node.js 20.19 or newer, and this is ${process.versions.node}; install a newer one and run it again.\n`,
  );
  process.exitCode = 2;
}

export {};
