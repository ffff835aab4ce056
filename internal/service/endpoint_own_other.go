//go:build !unix

package service

func checkRuntime(string) error { return ErrElsewhere }
