import fc from "fast-check";

// The same random cases in every run, so that every failure can be reproduced; CCF_SEED selects others.
fc.configureGlobal({ seed: Number(process.env["CCF_SEED"] ?? 1) });
