package main

import (
	"archive/tar"
	"archive/zip"
	"cmp"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"
	"time"
)

// entry is one file of an archive. What an archive says about a file comes from here and never from the
// disk, where owner, time and order differ from machine to machine.
type entry struct {
	name       string // slash-separated, inside the archive's one top folder
	data       []byte
	executable bool
}

func (e entry) mode() int64 {
	if e.executable {
		return 0o755
	}
	return 0o644
}

// writeArchive writes a .tar.gz or a .zip, as the name ends. All entries lie in one folder that is named like
// the archive, sorted, owned by 0:0 and changed at the given time.
func writeArchive(name string, entries []entry, changed time.Time) (err error) {
	entries = slices.Clone(entries)
	slices.SortFunc(entries, func(a, b entry) int { return cmp.Compare(a.name, b.name) })
	write := writeTarGz
	folder, isTar := strings.CutSuffix(path.Base(name), ".tar.gz")
	if !isTar {
		write = writeZip
		folder = strings.TrimSuffix(folder, ".zip")
	}
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	err = write(file, folder, entries, changed.UTC())
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}

func writeTarGz(w io.Writer, folder string, entries []entry, changed time.Time) error {
	// The header of gzip keeps its zero values: no name, no time.
	compressed, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	archive := tar.NewWriter(compressed)
	for _, e := range entries {
		header := &tar.Header{
			Typeflag: tar.TypeReg,
			Name:     path.Join(folder, e.name),
			Size:     int64(len(e.data)),
			Mode:     e.mode(),
			ModTime:  changed,
			Format:   tar.FormatUSTAR,
		}
		if err := archive.WriteHeader(header); err != nil {
			return err
		}
		if _, err := archive.Write(e.data); err != nil {
			return err
		}
	}
	if err := archive.Close(); err != nil {
		return err
	}
	return compressed.Close()
}

func writeZip(w io.Writer, folder string, entries []entry, changed time.Time) error {
	archive := zip.NewWriter(w)
	for _, e := range entries {
		header := &zip.FileHeader{Name: path.Join(folder, e.name), Method: zip.Deflate, Modified: changed}
		header.SetMode(os.FileMode(e.mode()))
		file, err := archive.CreateHeader(header)
		if err != nil {
			return err
		}
		if _, err := file.Write(e.data); err != nil {
			return err
		}
	}
	return archive.Close()
}
